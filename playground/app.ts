import type { Finding } from '../src/core/findings/finding';
import type * as Drawing from './drawing';
import type * as Engine from './engine';
import { element } from './element';
import type { TypedInput, TypedOptions, TypedPlan } from './engine';
import type { Example } from './examples';
import { fragmentOf, inputOf } from './link';
import { paneOf } from './pane';

declare const rolloutkit: typeof Engine;
declare const rolloutkitDrawing: typeof Drawing;
declare const rolloutkitExamples: readonly Example[];

/** Delay between the last key and the plan. */
const PAUSE_MS = 150;

/** Largest useful width of a picture. */
const MOST_WIDTH = 1_200;

/** Available width when the plan was shown. */
let drawnWidth = 0;

const status = element('p', 'status');
const findingList = element('ol', 'findings');
const printed = element('div', 'printed');
const compare = element('input', 'compare');
const prune = element('input', 'prune');
const apply = element('select', 'apply');
const startupSeconds = element('input', 'startup-seconds');
const capacity = element('textarea', 'capacity');
const clusters = element('textarea', 'clusters');
const kserveConfig = element('textarea', 'kserve-config');
const exampleList = element('select', 'example');

function say(text: string, hasFailed = false): void {
  status.textContent = text;
  status.classList.toggle('failed', hasFailed);
}

const failed = (reason: string): void => say(reason, true);
const oldPane = paneOf('old', 'Current state', planSoon, failed);
const newPane = paneOf('new', 'Manifests', planSoon, failed);

function choice(value: string, text: string): HTMLOptionElement {
  const option = document.createElement('option');
  option.value = value;
  option.textContent = text;
  return option;
}

const versionFields = rolloutkit.PRODUCT_CHOICES.map(({ product, name, defaultVersion, oldest, newest }) => {
  const label = document.createElement('label');
  const input = document.createElement('input');
  input.type = 'text';
  input.placeholder = defaultVersion;
  input.title = `${name} ${oldest} to ${newest}`;
  input.spellcheck = false;
  label.append(`${name} `, input);
  element('div', 'versions').append(label);
  return { product, input };
});

function typedOptions(): TypedOptions {
  const chosen = versionFields.map(({ product, input }) => [product, input.value.trim()] as const).filter(([, version]) => version !== '');
  const seconds = startupSeconds.valueAsNumber;
  return {
    ...(chosen.length > 0 && { versions: Object.fromEntries(chosen) }),
    ...(seconds > 0 && { startupSeconds: seconds }),
    ...(apply.value !== '' && { apply: apply.value as NonNullable<TypedOptions['apply']> }),
    ...(prune.checked && { prune: true }),
    ...(capacity.value.trim() !== '' && { capacity: capacity.value }),
    ...(clusters.value.trim() !== '' && { clusters: clusters.value }),
    ...(kserveConfig.value.trim() !== '' && { kserveConfig: kserveConfig.value }),
  };
}

function putOptions(options: TypedOptions = {}): void {
  for (const { product, input } of versionFields) input.value = options.versions?.[product] ?? '';
  startupSeconds.value = String(options.startupSeconds ?? 0);
  apply.value = options.apply ?? '';
  prune.checked = options.prune === true;
  capacity.value = options.capacity ?? '';
  clusters.value = options.clusters ?? '';
  kserveConfig.value = options.kserveConfig ?? '';
  if (capacity.value + clusters.value + kserveConfig.value !== '') element('details', 'options').open = true;
}

function typedInput(): TypedInput {
  return { files: newPane.files(), ...(compare.checked && { from: oldPane.files() }), options: typedOptions() };
}

function setCompared(isCompared: boolean): void {
  compare.checked = isCompared;
  oldPane.setHidden(!isCompared);
  document.body.classList.toggle('compared', isCompared);
}

function putInput({ files, from, options }: TypedInput): void {
  setCompared(from !== undefined);
  if (from) oldPane.put(from);
  newPane.put(files);
  putOptions(options);
}

/** Titles of formats. The others use their `--format` names. */
const TITLES: Readonly<Record<string, string>> = { svg: 'picture', html: 'page', json: 'JSON', markdown: 'Markdown' };

/** Renderers of all formats: drawn ones first, then text. */
const FORMATS = { ...rolloutkitDrawing.FORMATS, ...rolloutkit.FORMATS };

const tabs = Object.keys(FORMATS).map((format, index) => {
  const tab = document.createElement('button');
  tab.type = 'button';
  tab.id = `format-${format}`;
  tab.textContent = TITLES[format] ?? format;
  tab.setAttribute('role', 'tab');
  tab.setAttribute('aria-controls', 'printed');
  tab.addEventListener('click', () => choose(index));
  element('div', 'formats').append(tab);
  return { format, tab };
});
/** The picture at first, because the findings are shown above it. */
let chosenTab = 0;

function choose(index: number): void {
  chosenTab = index;
  plan();
}

function showTabs(): void {
  tabs.forEach(({ tab }, index) => {
    tab.setAttribute('aria-selected', String(index === chosenTab));
    tab.tabIndex = index === chosenTab ? 0 : -1;
  });
  printed.setAttribute('aria-labelledby', tabs[chosenTab]!.tab.id);
}

/** Number of tabs by which each arrow key moves. */
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

element('div', 'formats').addEventListener('keydown', (event) => {
  const step = STEPS[event.key];
  if (step === undefined) return;
  event.preventDefault();
  choose((chosenTab + step + tabs.length) % tabs.length);
  tabs[chosenTab]!.tab.focus();
});

function findingItem({ severity, code, message, help, source }: Finding): HTMLLIElement {
  const item = document.createElement('li');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = severity;
  const name = document.createElement('code');
  name.textContent = code;
  const where = document.createElement('span');
  where.className = 'where';
  where.textContent = source ? ` ${source.file}:${source.line}` : '';
  button.append(`${severity} `, name, where, document.createElement('br'), message);
  if (help !== undefined) {
    const fix = document.createElement('span');
    fix.className = 'fix';
    fix.textContent = `fix: ${help}`;
    button.append(fix);
  }
  if (source) {
    button.addEventListener('click', () => {
      const at = [source.file, source.line, source.column ?? 1] as const;
      if (!newPane.goTo(...at)) oldPane.goTo(...at);
    });
  }
  item.append(button);
  return item;
}

function page(planned: TypedPlan): HTMLElement {
  const frame = document.createElement('iframe');
  frame.title = 'The plan as a page';
  // Its script filters and folds rows. Without the origin of this page, it can't access anything here.
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.srcdoc = FORMATS.html!(planned);
  return frame;
}

/** Shows the picture. As an image, it runs no script and loads nothing. It has the available width, so that its text is legible on a phone. */
function picture(planned: TypedPlan): HTMLElement {
  const svg = rolloutkitDrawing.pictureOf(planned, Math.min(drawnWidth, MOST_WIDTH));
  const image = document.createElement('img');
  image.alt = 'Picture of the rollouts; the text format has the same content';
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  return image;
}

/** Number of columns over which the width of one is measured. */
const MEASURED = 100;

/** Shows text as on a terminal of this width. */
function asOnTerminal(planned: TypedPlan): HTMLElement {
  const block = document.createElement('pre');
  const measure = document.createElement('span');
  measure.textContent = '0'.repeat(MEASURED);
  block.append(measure);
  printed.replaceChildren(block);
  const { paddingLeft, paddingRight } = getComputedStyle(block);
  const room = drawnWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  block.textContent = rolloutkit.textOf(planned, Math.floor((room * MEASURED) / measure.getBoundingClientRect().width));
  return block;
}

/** Shows the output of a format unchanged. */
const asWritten =
  (format: string) =>
  (planned: TypedPlan): HTMLElement => {
    const block = document.createElement('pre');
    block.textContent = FORMATS[format]!(planned);
    return block;
  };

/** Views of formats. All others are shown unchanged. */
const SHOWN: Readonly<Record<string, (planned: TypedPlan) => HTMLElement>> = { html: page, svg: picture, text: asOnTerminal };

/** Largest number of findings in the list. The plan below has all. */
const MOST_LISTED = 200;

function plan(): void {
  showTabs();
  const input = typedInput();
  if (input.files.every(({ text }) => text.trim() === '')) {
    for (const pane of [oldPane, newPane]) pane.mark([]);
    findingList.replaceChildren();
    printed.replaceChildren();
    return say('Paste YAML, or choose an example.');
  }
  try {
    const planned = rolloutkit.planTyped(input);
    const findings = rolloutkit.findingsOf(planned.plan);
    const { format } = tabs[chosenTab]!;
    say(rolloutkit.formatPlanHeadline(planned.plan));
    findingList.replaceChildren(...findings.slice(0, MOST_LISTED).map(findingItem));
    for (const pane of [oldPane, newPane]) pane.mark(findings);
    drawnWidth = printed.clientWidth;
    printed.replaceChildren((SHOWN[format] ?? asWritten(format))(planned));
  } catch (error) {
    failed(error instanceof Error ? error.message : String(error));
  }
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Plans after a short pause in typing. */
function planSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(plan, PAUSE_MS);
}

async function share(): Promise<void> {
  // Setting location.hash instead would reload the input and lose the cursor.
  history.replaceState(undefined, '', `#${await fragmentOf(typedInput())}`);
  try {
    await navigator.clipboard.writeText(location.href);
    say('The link is copied. It contains all of the input; nothing is stored anywhere.');
  } catch {
    say('The address of this page now contains the input; copy it.');
  }
}

async function open(): Promise<void> {
  try {
    putInput((await inputOf(location.hash.slice(1))) ?? rolloutkitExamples[0]!.input);
    plan();
  } catch (error) {
    failed(error instanceof Error ? error.message : String(error));
  }
}

exampleList.append(...rolloutkitExamples.map(({ title }, index) => choice(String(index), title)));
exampleList.addEventListener('change', () => {
  putInput(rolloutkitExamples[Number(exampleList.value)]!.input);
  plan();
});
apply.append(choice('', 'as OLD was applied'), ...rolloutkit.APPLY_MODES.map((mode) => choice(mode, mode)));
compare.addEventListener('change', () => {
  if (compare.checked && oldPane.files().every(({ text }) => text === '')) {
    oldPane.put(newPane.files().map(({ text }, index) => ({ name: index === 0 ? 'old.yaml' : `old-${index + 1}.yaml`, text })));
  }
  setCompared(compare.checked);
  plan();
});
for (const field of [...versionFields.map(({ input }) => input), startupSeconds, prune, apply, capacity, clusters, kserveConfig]) {
  field.addEventListener('input', planSoon);
}
element('button', 'share').addEventListener('click', () => void share());
window.addEventListener('resize', () => {
  if (['svg', 'text'].includes(tabs[chosenTab]!.format) && printed.clientWidth !== drawnWidth) planSoon();
});
window.addEventListener('hashchange', () => void open());
void open();
