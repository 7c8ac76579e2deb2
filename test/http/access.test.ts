import { expect, test } from 'vitest';
import type { Endpoint } from '#shared/endpoint';
import { keyOf, openHome, type Browser } from '../identity/support.ts';
import { readAccess } from '../support/access.ts';
import { atLeastOne } from '../support/at-least-one.ts';

const REFUSALS = [
  'CONNEXION_REQUISE',
  'IDENTITE_INCONNUE',
  'LECTURE_SEULE',
  'SESSION_REQUISE',
  'GESTION_RESERVEE',
];

/** The code of a refusal, `yes` for any other response: the request has an unknown id and an invalid body. */
async function accessOf(
  browser: Browser,
  { method, path, body, bytes }: Endpoint,
  headers?: Record<string, string>,
): Promise<string> {
  const target = path.replace(/:\w+/g, '999');
  const sent = body === undefined && bytes === undefined ? undefined : {};
  const answer = await browser.ask(method, target, sent, headers);
  const code: unknown = Reflect.get(Object(answer.body), 'code');
  return typeof code === 'string' && REFUSALS.includes(code) ? code : 'yes';
}

/** Operations that end the caller's session; tested last. */
const ENDS_SESSION = ['seDeconnecter', 'changerLecteur'];

const { rows, operations } = await readAccess();
const inOrder = [...operations].sort(
  ([a], [b]) => ENDS_SESSION.indexOf(a) - ENDS_SESSION.indexOf(b),
);

const isRead = ({ method, hasSideEffects }: Endpoint) =>
  method === 'GET' && hasSideEffects !== true;

/** The outcomes of all operations, and the expected ones of the table, by name. */
async function askAll(
  browser: Browser,
  caller: string,
  headers?: Record<string, string>,
): Promise<readonly [Record<string, string>, Record<string, string>]> {
  const answered: Record<string, string> = {};
  const expected: Record<string, string> = {};
  for (const [name, { may, endpoint }] of atLeastOne(inOrder)) {
    answered[name] = await accessOf(browser, endpoint, headers);
    expected[name] = rows.get(may)?.[caller] ?? 'nothing';
  }
  return [answered, expected];
}

test('with accounts each operation is done by whom the rules name', async () => {
  const home = await openHome();
  const manager = await home.member('Claire');
  const member = await home.member('Luc');
  const keys = { writes: await keyOf(member, true), reads: await keyOf(member, false) };
  for (const [caller, browser, key] of [
    ['stranger', home.device()],
    ['key', home.device(), keys.writes],
    ['member', member],
    ['manager', manager],
  ] as const) {
    const headers = key === undefined ? undefined : { Authorization: `Bearer ${key}` };
    const [answered, expected] = await askAll(browser, caller, headers);
    expect(answered, caller).toEqual(expected);
  }
  const [answered, expected] = await askAll(home.device(), 'key', {
    Authorization: `Bearer ${keys.reads}`,
  });
  for (const [name, { endpoint }] of operations)
    if (!isRead(endpoint)) expected[name] = 'LECTURE_SEULE';
  expect(answered, 'a key that may only read').toEqual(expected);
});

/** Endpoints that respond 404 without accounts. */
const OF_ACCOUNTS =
  /^\/api\/(?:connexion|invitations|membres|sessions|moi\/(?:cles-acces|code|mot-de-passe|portrait))\b/;

test('without accounts each operation is done by whom the rules name', async () => {
  const home = await openHome({ ACCOUNTS: 'non' });
  for (const [caller, headers] of [
    ['unknown', undefined],
    ['reader', { SSO_USER: 'claire' }],
  ] as const) {
    const [answered, expected] = await askAll(home.device(), caller, headers);
    for (const [name, { endpoint }] of operations)
      if (OF_ACCOUNTS.test(endpoint.path)) expected[name] = 'yes';
    expect(answered, caller).toEqual(expected);
  }
});

const SOUHAIT = { titre: 'Nadja', auteurs: ['André Breton'] };
const REVUE = { titre: 'Le Visiteur', numero: '3' };
const LECTURE = { titre: 'Nadja', auteurs: ['André Breton'], debut: '2024-01-02' };
const OBJECTIF = { annee: '2024', unite: 'livres', nombre: 12 };
const LIVRE = { ...SOUHAIT, format: 'Physique' };

type Owned = readonly [made: readonly [path: string, body: object], status: number, body?: object];

/** The operations of a record's owner: how to create the record, and the owner's expected status. */
const OWNED: Record<string, Owned> = {
  lireLecture: [['/api/lectures', LECTURE], 200],
  modifierLecture: [['/api/lectures', LECTURE], 200, LECTURE],
  supprimerLecture: [['/api/lectures', LECTURE], 204],
  modifierSouhait: [['/api/souhaits', SOUHAIT], 200, SOUHAIT],
  supprimerSouhait: [['/api/souhaits', SOUHAIT], 204],
  acheterSouhait: [['/api/souhaits', SOUHAIT], 201, LIVRE],
  retirerObjectif: [['/api/objectifs', OBJECTIF], 204],
  modifierRevueSouhaitee: [['/api/souhaits-revues', REVUE], 200, REVUE],
  supprimerRevueSouhaitee: [['/api/souhaits-revues', REVUE], 204],
  acheterRevueSouhaitee: [['/api/souhaits-revues', REVUE], 201, {}],
  // No picture is sent, and none is on offer.
  'couverturesChoisies.souhaits.choisir': [['/api/souhaits', SOUHAIT], 400, {}],
  'couverturesChoisies.souhaits.remettre': [['/api/souhaits', SOUHAIT], 200],
  // No catalogue can be reached.
  'autresCouvertures.souhaits.lister': [['/api/souhaits', SOUHAIT], 502],
  'autresCouvertures.souhaits.choisir': [['/api/souhaits', SOUHAIT], 404, { cle: 'a'.repeat(64) }],
};

test('a record of one reader is found by no other', async () => {
  const names = [...operations].filter(([, { may }]) => may === 'owner').map(([name]) => name);
  expect(names.sort()).toEqual(Object.keys(OWNED).sort());
  for (const name of names) {
    const home = await openHome({ ACCOUNTS: 'non' });
    const as = (reader: string, method: string, path: string, body?: object) =>
      home.device().ask(method, path, body, { SSO_USER: reader });
    const [[path, record], status, body] = OWNED[name] ?? [['', {}], 0];
    expect(await as('ana', 'POST', path, record), name).toMatchObject({ status: 201 });
    const { endpoint } = operations.get(name) ?? {};
    const target = endpoint?.path.replace(':id', '1') ?? '';
    const foreign = await as('bob', endpoint?.method ?? '', target, body);
    expect(foreign, `${name} of another`).toMatchObject({ body: { code: 'INTROUVABLE' } });
    const own = await as('ana', endpoint?.method ?? '', target, body);
    expect(own.status, `${name} of one’s own`).toBe(status);
  }
});
