import { escapeJsonForTerminal, escapeForTerminal } from '../../src/core/text/escape-output';

test.each([
  ['::error::x', '\\u003a:error::x'],
  ['  ::warning file=a::x', '  \\u003a:warning file=a::x'],
  ['a::b', 'a::b'],
  ['##vso[task.complete]', '\\u0023#vso[task.complete]'],
  ['a ##VSO[task.complete] ##[error]b', 'a \\u0023#VSO[task.complete] \\u0023#[error]b'],
  ["a ##teamcity[buildStatus status='SUCCESS']", "a \\u0023#teamcity[buildStatus status='SUCCESS']"],
  ['## Heading', '## Heading'],
  ['a\n::stop-commands::b', 'a\\n::stop-commands::b'],
  ['a\u00adb\u034fc\u180ed\ufe0f', 'a\\u00adb\\u034fc\\u180ed\\ufe0f'],
  ['noncharacters \ufdd0 \uffff \u{1fffe}', 'noncharacters \\ufdd0 \\uffff \\ud83f\\udffe'],
  ['tag \u{e0041}, half \ud800, filler \u3164', 'tag \\udb40\\udc41, half \\ud800, filler \\u3164'],
  ['blanks \u{13441} \u{13442}', 'blanks \\ud80d\\udc41 \\ud80d\\udc42'],
  ['\u202eevil\u200b', '\\u202eevil\\u200b'],
  ['we\u007fb', 'we\\u007fb'],
  ['we\u001bb', 'we\\u001bb'],
])('%j is printed as %s, so that no CI log and no terminal interprets it', (text, shown) => {
  expect(escapeForTerminal(text)).toBe(shown);
});

test('JSON that is made safe to print means the same', () => {
  const value = { name: '##vso[task.complete] \u202e ##[group]', '##[x]': ['::error::'] };
  const json = escapeJsonForTerminal(JSON.stringify(value));
  expect(json).not.toMatch(/##\[|##vso/);
  expect(JSON.parse(json)).toEqual(value);
});
