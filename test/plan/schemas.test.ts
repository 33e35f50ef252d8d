import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2020 from 'ajv/dist/2020';

const FOLDER = path.resolve(__dirname, '../../schemas');

interface Schema {
  readonly $id: string;
  readonly $schema: string;
}

const SCHEMAS = readdirSync(FOLDER).map((file) => ({
  file,
  schema: JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Schema,
}));

test.each(SCHEMAS)('schemas/$file is a schema of draft 2020-12, and every name and reference in it is known', ({ schema }) => {
  const others = SCHEMAS.map((each) => each.schema).filter(({ $id }) => $id !== schema.$id);
  const ajv = new Ajv2020({ strict: true, validateSchema: false, schemas: others });

  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  expect(ajv.validateSchema(schema)).toBe(true);
  expect(ajv.compile(schema)).toBeInstanceOf(Function);
});
