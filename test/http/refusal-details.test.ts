import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { refusalDetails } from '#shared/refusal-details';
import { codesOf } from '#shared/refusals';
import { atLeastOne } from '../support/at-least-one.ts';
import { send, serve } from '../support/server.ts';

type Document = Readonly<{
  components: { readonly schemas: Readonly<Record<string, object>> };
  paths: Readonly<
    Record<string, Record<string, { readonly responses: Readonly<Record<string, object>> }>>
  >;
}>;

const document = async () => {
  const { url } = await serve();
  return { url, documented: (await send(`${url}/api/documentation/json`)).json() as Document };
};

test('the document describes the details of every refusal by its code', async () => {
  const { documented } = await document();
  const { schemas } = documented.components;
  for (const code of atLeastOne(Object.keys(refusalDetails))) {
    const text = Object.values(schemas).map((schema) => JSON.stringify(schema));
    expect(text.filter((one) => one.includes(`["${code}"]`))).toHaveLength(1);
  }
  expect(JSON.stringify(schemas['Refus409'])).toContain('"obstacles"');
  const statuses = Object.values(documented.paths).flatMap((operations) =>
    Object.values(operations).flatMap(({ responses }) =>
      Object.entries(responses).filter(([status]) => Number(status) >= 400),
    ),
  );
  const undocumented = atLeastOne(statuses).filter(
    ([status, response]) =>
      !JSON.stringify(response).includes(`"#/components/schemas/Refus${status}"`),
  );
  expect(undocumented).toEqual([]);
  expect(statuses.filter(([status]) => codesOf(Number(status)).length === 0)).toEqual([]);
});

test('a refusal matches its own schema in the document, and no other', async () => {
  const { url, documented } = await document();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const fits = ajv.compile({ ...documented, $ref: '#/components/schemas/Refus400' });
  const { json } = await send(`${url}/api/livres`, {
    method: 'POST',
    headers: ['Content-Type', 'application/json'],
    body: JSON.stringify({ titre: '' }),
  });
  expect(json()).toMatchObject({ code: 'REQUETE_INVALIDE', champs: expect.any(Array) as [] });
  expect(fits(json())).toBe(true);
  const { champs: _, ...bare } = json();
  expect(fits(bare)).toBe(false);
  expect(fits({ ...bare, code: 'INTROUVABLE' })).toBe(false);
});
