// Checks names and prose against the "Naming" and "Prose" sections of CONTRIBUTING.md: node .ci/language.mjs [--list]
// It reads source as text, so it needs no build. `npm run lint` runs it.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** First words that make a function name read as an action or a statement. */
const VERBS = new Set(
  `accept add admit advise align allow annotate append apply are ask assert assign assume attach await await bind bisect break build bundle cache calculate call can cap
  capitalize catch change check choose claim clamp classify clean clear clone close collapse collect combine compare compile complete compute concat configure connect
  consolidate contains convert copy correlate could count cover create customize cut deactivate decide decline decode deduplicate deep default defer define delete
  derive describe deserialize detect determine diff disable disambiguate discover discard dispatch display distribute does drain draw drop edit embed emit enable encode
  end enforce ensure enter equals escape estimate evaluate evict examine exceeds exclude exec execute exists exit expand expect explain export express extend
  extract fail fail fetch fill filter finalize find finish fit fits fix flatten fold follow for force format forward freeze from gather generate get give go group grow guard
  handle has hash hide hold ignore import include includes increment indent infer init initialize inject insert inspect install interpret intersect invoke is isolate
  iterate join keep label lack leave limit link lint list load locate log look lookup lower make map mark marshal match matches may mean measure memoize merge mount move must
  name narrow need needs negate normalize notify offer omit on open order override overlap own pad parse partition pass patch pause perform permit pick pin place plan
  pluralize point pop prefer prefix prepare prepend print probe process propose protect provide prune pull push put query queue quote raise range rank reach read recognize
  reconcile record recover redact reduce refer refers refresh refuse register reject release remove rename render reorder repeat replace report represents request require reserve
  reset resolve respect restart restore restrict retry return reveal reverse review rewrite roll rolls round run sample sanitize satisfies save scale scan schedule search select send
  serialize set settle shift shorten should show shrink sign simplify simulate size skip slice solve sort spawn split spread start starts stop store stringify strip
  style subtract suggest sum summarize supersede supports suppress swap sync tag take takes test throw to tokenize touch track transform translate traverse treat trim truncate try
  turn underline as unescape unexpand unify union unmarshal unpack unset unwrap update use uses validate verify visit wait walk want warn was watch weigh with withhold work works wrap
  write writes yield`.split(/\s+/),
);

/** Factories of the public API, which read as what they create: `partitions: canary({ … })`. */
const FACTORIES = new Set([
  'automaticPartitions',
  'canary',
  'guardrailPolicy',
  'partitionsByLabel',
  'rolloutPolicies',
  'rolloutPolicyPack',
  'safeMaxSurgePercent',
]);

/** Habits of a private dialect: each has a plain word that says the same. */
const HABITS = {
  'a question documents a function or field': /^(Is|Are|Does|Do|Has|Have|Can|Could|May|Would|Was|Were|Did|Should|Must|Will)\b[^.]*\?/,
  'stand, stands, stood': /\b(stands?|standing|stood)\b(?! (alone|for)\b)/i,
  'tell, told': /\b(tells?|told|telling)\b/i,
  'of which, of whom, of whose': /\bof (which|whom|whose)\b/i,
  'a sentence begins with Of': /(^|[.;:] )Of [a-zA-Z0-9"`]/,
  'begins with "The same"': /^The same\b/,
  'whoever, nobody, somebody': /\b(whoever|nobody|somebody|anybody)\b/i,
  'as far as': /\bas far as\b/i,
  'comes to': /\bcomes? to\b/i,
  'goes on, by, with': /\bgo(es)? (on|by|with|along|behind)\b/i,
  'behind (for after)': /\bbehind\b/i,
  'but for (for except)': /\bbut for\b/i,
  'for want of': /\bfor want of\b/i,
  'for good (for permanently)': /\bfor good\b/i,
  'beside (for next to, in addition to)': /\bbeside\b/i,
  anew: /\banew\b/i,
  'a space before %, which no API server reads': /[\d…] %(?!"|$)/,
  'lets go, at hand': /\b(lets? [a-z ]*\bgo\b|at hand)/i,
};

/** Texts that a real API server's recorded answers repeat word for word (test/fixtures/upstream/guardrails.json). */
const RECORDED = ['the extra pods of a rollout come to'];

/** Bounds in percent: of top-level functions, of comments, of messages and of paragraphs. */
const BOUNDS = { verbs: 90, participles: 0, comments: 0.1, messages: 0, paragraphs: 0 };

const list = process.argv.includes('--list');
const only = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const root = path.resolve(import.meta.dirname, '..');

function listFiles(folder, pattern) {
  return readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.join(folder, name))
    .filter((name) => pattern.test(name) && !name.includes('node_modules'))
    .toSorted();
}

const firstWordOf = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ')[0];

/** `isX` and `toX` start with a verb, `strategyOf` is an accessor; `settledX` and `roomX` are neither. */
function classifyName(name) {
  const word = firstWordOf(name);
  if (VERBS.has(word)) return 'verb';
  return /[^e]ed$/.test(word) ? 'participle' : name.endsWith('Of') ? 'accessor' : 'noun';
}

function commentsOf(text) {
  return Array.from(text.matchAll(/\/\*\*?([\s\S]*?)\*\/|^\s*\/\/ ?(.*)$/gm), (match) =>
    (match[1] ?? match[2])
      .replace(/^\s*\* ?/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

/** String and template literals of several words: messages, help, pages of rules. */
function messagesOf(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return Array.from(code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g), ([, a, b, c]) => a ?? b ?? c)
    .map((literal) =>
      literal
        .replace(/\$\{[^}]*\}/g, '…')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((literal) => / \w+ /.test(literal));
}

/** Paragraphs and table rows of a page, without its fenced code and inline code. */
function paragraphsOf(text) {
  return text
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '`code`')
    .split(/\n\s*\n|\n(?=[-|#*])/)
    .map((paragraph) =>
      paragraph
        .replace(/\s+/g, ' ')
        .replace(/^[-*#|\d. ]+/, '')
        .trim(),
    )
    .filter((paragraph) => paragraph !== '');
}

const problems = [];
const counts = { functions: 0, verbs: 0, participles: 0, comments: 0, messages: 0, paragraphs: 0 };
const found = { comments: 0, messages: 0, paragraphs: 0 };
const filesByExport = new Map();

function checkProse(kind, file, texts) {
  for (const text of texts) {
    counts[kind]++;
    if (RECORDED.some((recorded) => text.includes(recorded))) continue;
    const habits = Object.keys(HABITS).filter((habit) => HABITS[habit].test(text));
    if (habits.length === 0) continue;
    found[kind]++;
    problems.push(`${file}: ${habits.join('; ')}: ${text.slice(0, 160)}`);
  }
}

const isChosen = (file) => only.length === 0 || only.some((prefix) => file.startsWith(prefix));
for (const file of listFiles('src', /\.ts$/).filter(isChosen)) {
  const text = readFileSync(path.join(root, file), 'utf8');
  for (const [, exported, name] of text.matchAll(/^(export )?(?:async )?function\*? (\w+)/gm)) {
    counts.functions++;
    const kind = classifyName(name);
    if (kind === 'verb') counts.verbs++;
    if (kind === 'participle') counts.participles++;
    if (kind === 'participle' || (exported && kind === 'noun' && !FACTORIES.has(name)))
      problems.push(`${file}: function ${name} starts with no verb`);
  }
  for (const [, name] of text.matchAll(/^export (?:async )?(?:abstract )?(?:function\*?|class|const|interface|type|enum) (\w+)/gm)) {
    const files = filesByExport.get(name) ?? new Set();
    filesByExport.set(name, files.add(file));
  }
  checkProse('comments', file, commentsOf(text));
  checkProse('messages', file, messagesOf(text));
}
// A construct and its Pulumi component are one public name on purpose.
const isAdapterPair = (files) => files.length === 2 && files.every((file) => /^src\/(constructs|pulumi)\//.test(file));
for (const [name, files] of filesByExport) {
  if (files.size > 1 && !isAdapterPair([...files])) problems.push(`${name} is exported by ${[...files].join(' and ')}`);
}
const pages = [
  ...listFiles('docs', /\.md$/),
  ...listFiles('src', /\.md$/),
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
].filter(isChosen);
for (const file of pages) checkProse('paragraphs', file, paragraphsOf(readFileSync(path.join(root, file), 'utf8')));

const percent = (part, whole) => (100 * part) / Math.max(1, whole);
const figures = {
  verbs: percent(counts.verbs, counts.functions),
  participles: percent(counts.participles, counts.functions),
  comments: percent(found.comments, counts.comments),
  messages: percent(found.messages, counts.messages),
  paragraphs: percent(found.paragraphs, counts.paragraphs),
};
const exceeded = Object.keys(BOUNDS).filter((name) => (name === 'verbs' ? figures[name] < BOUNDS[name] : figures[name] > BOUNDS[name]));
const duplicates = problems.filter((problem) => problem.includes(' is exported by ') || problem.includes('starts with no verb'));
const isFailed = only.length === 0 && (exceeded.length > 0 || duplicates.length > 0);
if (list || isFailed) console.log((list ? problems : problems.slice(0, 40)).join('\n'));
if (list || isFailed)
  for (const [name, figure] of Object.entries(figures))
    console.log(`${name}: ${figure.toFixed(1)} % (${name === 'verbs' ? 'at least' : 'at most'} ${BOUNDS[name]} %)`);
if (isFailed) process.exitCode = 1;
