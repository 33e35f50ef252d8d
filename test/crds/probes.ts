import type { Fields, Manifest } from '../../src/core/manifest/manifest';

/* Rules for the results of each function that Kubernetes adds to CEL. A rule is satisfied if the result is the one in the object. */

/** Fields that rules can read, in addition to the result in the object. */
const READ: Fields = {
  a: { type: 'string' },
  b: { type: 'string' },
  i: { type: 'integer' },
  j: { type: 'integer' },
  x: { type: 'number' },
  l: { type: 'array', maxItems: 1_000, items: { type: 'string' } },
  n: { type: 'array', maxItems: 1_000, items: { type: 'integer' } },
  d: { type: 'array', maxItems: 1_000, items: { type: 'number' } },
  t: { type: 'array', maxItems: 1_000, items: { type: 'string', format: 'duration' } },
  g: { type: 'array', maxItems: 1_000, items: { type: 'array', maxItems: 1_000, items: { type: 'number' } } },
  m: { type: 'object', additionalProperties: { type: 'string' } },
  o: {
    type: 'object',
    properties: {
      p: { type: 'string' },
      q: { type: 'object', properties: { r: { type: 'string' }, k: { type: 'integer' }, 'dashed-name': { type: 'string' } } },
      s: { type: 'array', maxItems: 1_000, items: { type: 'object', properties: { v: { type: 'string' }, w: { type: 'integer' } } } },
    },
  },
};

/** Expressions with a text result, by the kinds of values in `self`. */
const TEXT = ['text', 'text'];
const PROBES: readonly { readonly given: readonly string[]; readonly answers: readonly string[] }[] = [
  {
    given: ['address', 'address'],
    answers: [
      'string(isIP(self.a))',
      'string(ip(self.a))',
      'string(ip(self.a).family())',
      'string(ip.isCanonical(self.a))',
      'string(ip(self.a) == ip(self.b))',
      'string(ip(self.a).isUnspecified()) + string(ip(self.a).isLoopback()) + string(ip(self.a).isGlobalUnicast())',
      'string(ip(self.a).isLinkLocalMulticast()) + string(ip(self.a).isLinkLocalUnicast())',
      'string(ip(self.a) in [ip(self.b), ip("10.0.0.1")])',
    ],
  },
  {
    given: ['network', 'address'],
    answers: [
      'string(isCIDR(self.a))',
      'string(cidr(self.a))',
      'string(cidr(self.a).masked())',
      'string(cidr(self.a).ip())',
      'string(cidr(self.a).prefixLength())',
      'string(cidr(self.a).containsIP(self.b))',
      'string(cidr(self.a).containsIP(ip(self.b)))',
      'string(cidr(self.a) == cidr(self.a).masked())',
    ],
  },
  {
    given: ['network', 'network'],
    answers: [
      'string(cidr(self.a).containsCIDR(self.b))',
      'string(cidr(self.a).containsCIDR(cidr(self.b)))',
      'string(cidr(self.a) != cidr(self.b))',
    ],
  },
  {
    given: ['quantity', 'quantity'],
    answers: [
      'string(isQuantity(self.a))',
      'string(quantity(self.a).isInteger())',
      'string(quantity(self.a).asInteger())',
      'string(quantity(self.a).asApproximateFloat())',
      'string(sign(quantity(self.a)))',
      'string(quantity(self.a).compareTo(quantity(self.b)))',
      'string(quantity(self.a).isLessThan(quantity(self.b))) + string(quantity(self.a).isGreaterThan(quantity(self.b)))',
      'string(quantity(self.a) == quantity(self.b))',
      'string(quantity(self.a).add(quantity(self.b)).compareTo(quantity(self.a)))',
      'string(quantity(self.a).sub(quantity(self.b)).asApproximateFloat())',
      'string(quantity(self.a).add(self.i).sub(quantity(self.b)).isInteger())',
      'string(quantity(self.a).add(self.i).asInteger())',
      'string(quantity(self.a).add(quantity(self.b)) == quantity(self.b).add(quantity(self.a)))',
      'string(quantity(self.a).add(quantity(self.b)) == quantity(self.b))',
      'string(quantity(self.a) == quantity(self.b).add(0))',
    ],
  },
  {
    given: ['version', 'version'],
    answers: [
      'string(isSemver(self.a))',
      'string(isSemver(self.a, true))',
      'string(semver(self.a).major()) + string(semver(self.a).minor()) + string(semver(self.a).patch())',
      'string(semver(self.a, true).minor())',
      'string(semver(self.a).compareTo(semver(self.b)))',
      'string(semver(self.a, true).isLessThan(semver(self.b, true))) + string(semver(self.a, true).isGreaterThan(semver(self.b, true)))',
      'string(semver(self.a, true) == semver(self.b, true))',
    ],
  },
  {
    given: ['url', 'url'],
    answers: [
      'string(isURL(self.a))',
      'url(self.a).getScheme()',
      'url(self.a).getHost()',
      'url(self.a).getHostname()',
      'url(self.a).getPort()',
      'url(self.a).getEscapedPath()',
      "url(self.a).getQuery().exists(k, k == 'a') ? url(self.a).getQuery()['a'].join('|') : 'none'",
      'string(url(self.a).getQuery().size())',
      'string(url(self.a) == url(self.b))',
    ],
  },
  {
    given: ['text', 'pattern'],
    answers: [
      'self.a.find(self.b)',
      "self.a.findAll(self.b).join('|')",
      "self.a.findAll(self.b, self.i).join('|')",
      'string(self.a.matches(self.b))',
    ],
  },
  {
    given: TEXT,
    answers: [
      'self.a.charAt(self.i)',
      'string(self.a.indexOf(self.b)) + string(self.a.lastIndexOf(self.b))',
      'string(self.a.indexOf(self.b, self.i))',
      'string(self.a.lastIndexOf(self.b, self.i))',
      'self.a.replace(self.b, "<>")',
      'self.a.replace(self.b, "<>", self.i)',
      "self.a.split(self.b).join('|')",
      "self.a.split(self.b, self.i).join('|')",
      'self.a.substring(self.i)',
      'self.a.substring(self.i, self.j)',
      'self.a.trim() + self.a.upperAscii() + self.b.lowerAscii()',
      'strings.quote(self.a)',
      "'%s is %d of %s'.format([self.a, self.i, self.l])",
      "'%s %s %s %s'.format([self.x, self.d, self.t, self.m])",
      "'%.2f %f %b %x %X %o %x %%'.format([self.x, self.x * 1234.5, self.i, self.j, self.j, self.i, self.a])",
      "'%e|%.3e|%.30e'.format([self.x, self.x * 1234.5678, self.x / 3000000.0])",
      "'%e|%e|%e|%f'.format([1234566.5, 1234567.5, self.x * -0.0, self.x * -0.0])",
      "'%e %f %.2e'.format(['NaN', '-Infinity', 'Infinity'])",
      'string(self.x) + string(self.x * 123456.789) + string(self.x / 1000000.0)',
      "string(duration('1.5s')) + string(timestamp('2024-01-02T03:04:05.600Z'))",
      'string(self.a.size()) + string(self.a < self.b) + string(self.a.contains(self.b))',
    ],
  },
  {
    given: ['name', 'name'],
    answers: [
      'string(format.dns1123Label().validate(self.a).hasValue())',
      'string(format.dns1123Subdomain().validate(self.a).hasValue())',
      'string(format.dns1035Label().validate(self.a).hasValue())',
      'string(format.qualifiedName().validate(self.a).hasValue())',
      'string(format.dns1123LabelPrefix().validate(self.a).hasValue())',
      'string(format.dns1123SubdomainPrefix().validate(self.a).hasValue())',
      'string(format.dns1035LabelPrefix().validate(self.a).hasValue())',
      'string(format.labelValue().validate(self.a).hasValue())',
      'string(format.uuid().validate(self.a).hasValue()) + string(format.date().validate(self.a).hasValue())',
      'string(format.byte().validate(self.a).hasValue()) + string(format.datetime().validate(self.a).hasValue())',
      'string(format.uri().validate(self.a).hasValue())',
      "format.dns1123Label().validate(self.a).orValue([]).join('; ')",
      "format.dns1123Subdomain().validate(self.a).orValue([]).join('; ')",
      "format.dns1035Label().validate(self.a).orValue([]).join('; ')",
      "format.qualifiedName().validate(self.a).orValue([]).join('; ')",
      "format.dns1123LabelPrefix().validate(self.a).orValue([]).join('; ')",
      "format.dns1123SubdomainPrefix().validate(self.a).orValue([]).join('; ')",
      "format.dns1035LabelPrefix().validate(self.a).orValue([]).join('; ')",
      "format.labelValue().validate(self.a).orValue([]).join('; ')",
      "format.uuid().validate(self.a).orValue([]).join('; ') + format.date().validate(self.a).value().join('; ')",
      "format.byte().validate(self.a).optMap(w, w[0]).orValue('fits') + format.datetime().validate(self.a).or(optional.of(['none'])).value()[0]",
      "string(format.named(self.b).hasValue()) + string(format.named('date').hasValue())",
    ],
  },
  {
    given: TEXT,
    answers: [
      'string(self.n.isSorted()) + string(self.l.isSorted()) + string(self.d.isSorted())',
      'string(self.n.sum())',
      'string(self.d.sum() + 0.5)',
      'string(self.d.map(x, x * 2.0).sum() + 0.5)',
      'string(self.d.filter(x, x > 100.0).sum() + 1.5)',
      'string(self.t.sum() + duration("1s"))',
      'string(self.g.all(each, each.sum() + 0.5 > -1.0))',
      'string(self.l.map(x, x.size()).sum() + 1)',
      'string(self.n.min()) + string(self.n.max())',
      'self.l.min() + self.l.max()',
      'string(self.d.max())',
      'string(self.t.min()) + string(self.t.max())',
      'string(self.l.indexOf(self.a)) + string(self.l.lastIndexOf(self.a))',
      'string(self.n.indexOf(self.i))',
      'string(sets.contains(self.l, [self.a])) + string(sets.intersects(self.l, [self.a, self.b]))',
      'string(sets.equivalent(self.l, self.l + [self.a])) + string(sets.equivalent(self.n, self.n.map(x, x)))',
      "self.l.sort().join('|') + self.l.reverse().join('|') + self.l.distinct().join('|')",
      "self.l.slice(0, self.i).join('|')",
      "self.l.sortBy(x, x.size()).join('|')",
      "[self.l, [self.a]].flatten().join('|')",
      "lists.range(self.i).map(x, string(x)).join('|')",
      "self.n.map(x, x * 2).sort().map(x, string(x)).join('|')",
    ],
  },
  {
    given: TEXT,
    answers: [
      "self.?o.?p.orValue('none')",
      "self.o.?q.?r.orValue('none')",
      "self.?o.q.r.orValue('none')",
      "self.?o.?q.?dashed__dash__name.orValue('none')",
      'string(self.?o.?q.?k.orValue(7))',
      "self.o.?s[0].v.orValue('none')",
      "self.o.?s[?0].?v.orValue('none')",
      "self.m[?self.a].orValue('none')",
      "self.l[?self.i].orValue('none')",
      "self.?m['x'].orValue('none')",
      'string(self.?o.?p.hasValue())',
      'self.?o.?p.value()',
      "self.?o.?p.or(self.?o.?q.?r).or(optional.of('last')).value()",
      "self.?o.?p.optMap(v, v + '!').orValue('none')",
      "self.?o.optFlatMap(v, v.?p).orValue('none')",
      "self.?o.?q.optMap(v, v.?k.orValue(0) + self.i).optMap(v, string(v)).orValue('none')",
      "optional.ofNonZeroValue(self.b).orValue('empty')",
      'string(optional.ofNonZeroValue(self.i).hasValue()) + string(optional.none().hasValue())',
      "[?self.?o.?p, self.a, ?self.m[?'x']].join('|')",
      "{'z': self.a, ?'y': self.?o.?p}.map(k, k).size() == 2 ? 'two' : 'one'",
      "self.?o.?p.orValue(self.m['missing'])",
      '(self.i > 0 ? self.?o : optional.none()).?p.orValue("none")',
      'string(self.?o.?s.orValue([]).all(each, each.?w.orValue(1) > 0))',
      'string(has(self.o) && self.o.?q.hasValue())',
      "self.?o.?s.orValue([]).map(each, each.?v.orValue('-')).join('|')",
      'string(self.?o.?p == optional.of(self.a))',
      "string(self.l.first().orValue('none') == self.l.last().orValue('none'))",
    ],
  },
  {
    given: TEXT,
    answers: [
      'string(self.m.all(k, v, k.size() <= v.size()))',
      'string(self.l.all(i, v, i < v.size()))',
      'string(self.m.exists(k, v, v == self.a)) + string(self.l.exists(i, v, i > 0 && v == self.a))',
      'string(self.m.existsOne(k, v, v != self.a)) + string(self.l.exists_one(i, v, v.size() == i))',
      "self.l.transformList(i, v, string(i) + v).join('|')",
      "self.l.transformList(i, v, i > 0, string(i) + v).join('|')",
      "self.m.transformMap(k, v, k + v).map(k, k).size() > 1 ? 'more' : 'few'",
      "string(self.m.transformMap(k, v, k != 'x', v.size()).all(k, v, v >= 0 && k != 'x'))",
      'string(self.l.transformMap(i, v, v.size())[0])',
      'string(self.m.transformMapEntry(k, v, {v: k}).size())',
      'string(self.l.transformMapEntry(i, v, {v: i}).size())',
      'string(self.g.all(i, each, each.all(k, v, v < 100.0 || i + k > 0)))',
    ],
  },
];

/** Each expression, with the kinds of values that it reads. */
export const ANSWERS = PROBES.flatMap(({ answers, given }) => answers.map((answer) => ({ answer, given })));

/** Returns a CRD with a field for each result. */
export function probeCrd(): Manifest {
  const fields = ANSWERS.map(({ answer }, index) => [
    `p${index}`,
    {
      type: 'object',
      properties: { ...READ, want: { type: 'string' } },
      'x-kubernetes-validations': [{ rule: `(${answer}) == self.want`, messageExpression: answer, fieldPath: '.want' }],
    },
  ]);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'probes.shop.example' },
    spec: {
      group: 'shop.example',
      scope: 'Namespaced',
      names: { plural: 'probes', singular: 'probe', kind: 'Probe', listKind: 'ProbeList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: Object.fromEntries(fields) as Fields } } },
          },
        },
      ],
    },
  };
}

/** Creates a generator of pseudo-random numbers, which are the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Next = (below: number) => number;

function oneOf<Item>(next: Next, items: readonly Item[]): Item {
  return items[next(items.length)]!;
}

/** Joins random pieces. */
function joined(next: Next, pieces: readonly string[], most: number): string {
  return Array.from({ length: next(most + 1) }, () => oneOf(next, pieces)).join('');
}

/** Returns a text with one of its characters removed, doubled or replaced. */
function bent(next: Next, text: string, characters: string): string {
  if (next(4) > 0 || text === '') return text;
  const at = next(text.length);
  const [before, after] = [text.slice(0, at), text.slice(at + 1)];
  return oneOf(next, [before + after, before + text[at]! + text[at]! + after, before + characters[next(characters.length)]! + after]);
}

const IPV4 = [
  '10.0.0.1',
  '10.0.0.0',
  '10.1.2.3',
  '127.0.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '224.0.0.1',
  '224.0.1.1',
  '169.254.9.9',
  '192.168.1.200',
  '01.2.3.4',
  '1.2.3',
  '1.2.3.4.5',
];
const IPV6 = [
  '::',
  '::1',
  'fe80::1',
  'FE80::a',
  'ff02::1',
  'ff12::5',
  'ff05::2',
  '2001:db8::1',
  '2001:0db8:0:0:0:0:0:1',
  '2001:db8:0:0:1:0:0:1',
  '1:2:3:4:5:6:7:8',
  '1::3:0:0:0:8',
  '::ffff:10.0.0.1',
  '::10.0.0.1',
  '64:ff9b::1.2.3.4',
  'fe80::1%eth0',
  '1:2:3:4:5:6:7::',
  'febf::1',
  'fec0::1',
  ':::',
  '1::2::3',
  '12345::',
];

const POOLS: Readonly<Record<string, (next: Next) => string>> = {
  address: (next) => bent(next, oneOf(next, [...IPV4, ...IPV6]), '0123456789abcdef:./%'),
  network: (next) =>
    bent(
      next,
      `${oneOf(next, [...IPV4, ...IPV6])}/${oneOf(next, ['0', '8', '16', '24', '31', '32', '33', '64', '128', '129', '08', '', '-1'])}`,
      '0123456789/.:',
    ),
  quantity: (next) =>
    oneOf(next, ['', '', '', '-', '+']) +
    oneOf(next, [
      '0',
      '1',
      '2',
      '5',
      '10',
      '100',
      '1000',
      '1024',
      '0.5',
      '.5',
      '1.5',
      '1.',
      '0.1',
      '00',
      '007',
      '3.14159',
      '123456789012345678',
      '9223372036854775807',
      '9223372036854775808',
      '99999999999999999999',
      '0.0000000001',
      '1.0000000005',
      '',
    ]) +
    oneOf(next, [
      '',
      '',
      '',
      'm',
      'u',
      'n',
      'k',
      'M',
      'G',
      'T',
      'P',
      'E',
      'Ki',
      'Mi',
      'Gi',
      'Ti',
      'Pi',
      'Ei',
      'e3',
      'E2',
      'e-3',
      'e-12',
      'e20',
      'K',
      'mi',
      'e',
      ' ',
    ]),
  version: (next) =>
    bent(
      next,
      oneOf(next, ['', '', '', 'v', 'V']) +
        oneOf(next, [
          '1.2.3',
          '1.2',
          '1',
          '0.0.0',
          '01.2.3',
          '1.02.3',
          '1.2.003',
          '10.20.30',
          '1.2.3.4',
          '18446744073709551615.0.0',
          '18446744073709551616.0.0',
          '9223372036854775808.1.1',
          '',
        ]) +
        oneOf(next, ['', '', '-alpha', '-alpha.1', '-1', '-01', '-a.b.c', '-', '-alpha..1', '-1.2', '-beta']) +
        oneOf(next, ['', '', '', '+build', '+001', '+', '+a.b']),
      '0123.-+av',
    ),
  url: (next) =>
    bent(
      next,
      oneOf(next, [
        'https://',
        'http://',
        'HTTP://',
        '//',
        '/',
        '',
        'mailto:',
        'a+b.c-d://',
        '1a://',
        '://',
        'file:///',
        'http:/',
        'http:',
      ]) +
        oneOf(next, ['', '', 'user@', 'user:pass@', 'u%41:p%40@', 'us er@', 'a@b@', ':@']) +
        oneOf(next, [
          'example.com',
          'EXAMPLE.com',
          '10.0.0.1',
          '[::1]',
          '[fe80::1%25en0]',
          '[::1',
          '[10.0.0.1]',
          'a_b',
          'exa mple',
          'ex%61mple',
          'ex%C3%A9mple',
          'été.fr',
          '',
          'a:b',
          'a<b',
          '[::1%]',
        ]) +
        oneOf(next, ['', '', ':80', ':', ':x', ':80:90']) +
        oneOf(next, ['', '/', '/path', '/a b', '/a%20b', '/a%2Fb', '/%zz', '/a%', '//x', '/é', '/a[1]', '/a"b', '/a;b,c=@:', '*', '/..']) +
        oneOf(next, ['', '', '?', '?a=1', '?a=1&a=2&b=3', '?a=%20+x', '?a=1;b=2', '?a=%zz&a=3', '?a', '?=1', '?a=1?b=2', '??', '?é=1']) +
        oneOf(next, ['', '', '', '#f', '#a b', '#%zz', '#', '#a#b', '#é!(x)*']),
      ':/?#[]@%. ',
    ),
  text: (next) => joined(next, ['a', 'b', 'A', 'é', '😀', ' ', 'ab', '1', '23', '"', '\\', '\t', '.', '-', '\u00a0', 'x'], 6),
  pattern: (next) =>
    oneOf(next, [
      '[0-9]*',
      '[0-9]+',
      'a',
      'a|ab',
      'ab|a',
      '(a|b)*',
      '^a',
      'b$',
      '\\d',
      '\\w+',
      '.',
      '',
      '(?i)A',
      '[[:alpha:]]+',
      '\\pL',
      '(?P<n>a)',
      'x*?',
      '(',
      '\\b',
      '[^a]',
    ]),
  name: (next) =>
    oneOf(next, [
      bent(
        next,
        oneOf(next, ['abc', 'a', 'a-b', 'Abc', '1a', 'a.b.c', 'example.com/name', 'a/b/c', 'a_b', '-a', 'a-', 'a.', 'é', '/a', 'a/']),
        'a-._/A1é',
      ),
      'a'.repeat(60 + next(6)),
      'a'.repeat(250 + next(6)),
      `${'a.'.repeat(126 + next(2))}a`,
      bent(
        next,
        oneOf(next, [
          '0a0a0a0a-1111-4222-8333-abcdefabcdef',
          '2024-02-29',
          '2023-02-29',
          '2024-01-02T03:04:05Z',
          '2024-01-02T03:04:05.6+01:00',
          'YWJj',
          'YQ==',
          'https://a/b',
          'dns1123Label',
          'uuid',
          'none',
        ]),
        '0123456789-:TZ=',
      ),
      '',
    ]),
};

/** Returns random values for the fields that rules read. */
function readValues(next: Next, [a = 'text', b = 'text']: readonly string[]): Record<string, unknown> {
  const text = POOLS.text!;
  const several = <Item>(make: () => Item) => Array.from({ length: next(4) }, make);
  const one = POOLS[a]!(next);
  return {
    a: one,
    b: next(6) === 0 ? one : POOLS[b]!(next),
    i: next(6) - 1,
    j: next(6) - 1,
    x: oneOf(next, [0, 1.5, -2.25, 100]),
    l: several(() => (next(3) === 0 ? one : text(next))),
    n: several(() => next(5) - 1),
    d: several(() => oneOf(next, [0.5, 1.25, -3.5, 200.75, 2])),
    t: several(() => oneOf(next, ['1s', '2m0s', '1h'])),
    g: several(() => several(() => oneOf(next, [0.5, 1.25, 200.75]))),
    m: Object.fromEntries(several(() => [oneOf(next, ['x', 'y', one, 'z']), text(next)])),
    ...(next(4) > 0 && {
      o: {
        ...(next(3) > 0 && { p: text(next) }),
        ...(next(3) > 0 && {
          q: {
            ...(next(2) > 0 && { r: text(next) }),
            ...(next(2) > 0 && { k: next(5) }),
            ...(next(2) > 0 && { 'dashed-name': text(next) }),
          },
        }),
        ...(next(3) > 0 && { s: several(() => ({ ...(next(3) > 0 && { v: text(next) }), ...(next(2) > 0 && { w: next(4) }) })) }),
      },
    }),
  };
}

/**
 * Returns objects to validate.
 *
 * @param answers - returns our own results for an object whose results are not known: the text of each, by its field
 */
export function probes(count: number, answers: (object: Manifest) => ReadonlyMap<string, string>, seed = 20_261_123): Manifest[] {
  const next = numbers(seed);
  return Array.from({ length: count }, (_, index) => {
    const spec = Object.fromEntries(ANSWERS.map(({ given }, at) => [`p${at}`, { ...readValues(next, given), want: '\u0001' }]));
    const object: Manifest = { apiVersion: 'shop.example/v1', kind: 'Probe', metadata: { name: `m${index}` }, spec };
    const results = answers(object);
    for (const [field, value] of Object.entries(spec)) {
      // One in forty has another result, which must be refused.
      if (next(40) > 0) value.want = results.get(field) ?? value.want;
    }
    return object;
  });
}
