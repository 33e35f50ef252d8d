import { DeployedFiles } from '../../src/change/removed/deployed-files';

test('the objects of a file are compared once with each ignore file around it', () => {
  const compared: string[] = [];
  const ignoreFileIn = (folder: string, tool: string) => ({
    file: `in/${folder}/ignore`,
    tool,
    isObject: false,
    meaning: '',
    ignores: (path: string) => {
      compared.push(`${folder}: ${path}`);
      return folder === 'apps' && path === 'shop/web.yaml';
    },
  });
  const markers = new Map(
    ['', 'apps', 'apps/shop', 'other'].map((folder) => [
      `${folder}${folder && '/'}.fleetignore`,
      [ignoreFileIn(folder, 'Fleet'), ignoreFileIn(folder, 'Flux')],
    ]),
  );
  const paths = new Map([
    ['in/apps/shop/web.yaml', 'apps/shop/web.yaml'],
    ['in/a.yaml', 'a.yaml'],
  ]);
  const files = new DeployedFiles({ tree: { files: new Set(), markers, paths } });

  for (let object = 0; object < 3; object++)
    expect([...paths.keys()].map((file) => files.isIgnoredBy('Fleet', file))).toEqual([true, false]);
  expect(compared).toEqual(['apps/shop: web.yaml', 'apps: shop/web.yaml', ': a.yaml']);
});
