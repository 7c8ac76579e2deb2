import { onTestFinished, expect, test } from 'vitest';
import { formatChampFault, CHAMP_CODES, type ChampFault } from '#shared/champs';
import type { RefusalDetails } from '#shared/refusal-details';
import { champRefusal, Refusal, REFUSAL_CODES, wordsOf } from '#shared/refusals';
import { isRefusal } from '#server/plumbing/common/error-body';
import { addHooks, createFramework } from '#server/plumbing/http/framework';
import { Writes } from '#server/plumbing/writes/writes';
import { beginModification } from '#server/subjects/modifications/changesets';
import { atLeastOne } from '../support/at-least-one.ts';
import { openHouse } from '../support/house.ts';
import { readOperations } from '../support/operations.ts';
import { send, serve } from '../support/server.ts';

/** Words and characters of French only, without field names and addresses. */
const FRENCH =
  /[àâçéèêëîïôûùœ«»]|\b(?:le|la|les|un|une|des|du|est|sont|pas|ce|cette|et|pour|dans|par|doit|de)\b(?!\s*=)/i;

/** Details whose text is the same in both languages. */
const DETAILS: Readonly<Partial<Record<keyof RefusalDetails, object>>> = {
  REQUETE_INVALIDE: { champs: [{ champ: 'titre', code: 'TROP_LONG', arguments: { maximum: 9 } }] },
  ISBN_INVALIDE: { revue: '977123456789?', sorte: null },
  DEJA_PRETE: { emprunteur: 'Luc' },
  DEJA_OFFERT: { nom: 'Luc' },
  LIVRE_PRETE: { emprunteur: 'Luc' },
  FICHES_PRETEES: { emprunteurs: ['Luc', 'Ana'] },
  DOUBLON: { similaires: [] },
  FICHE_TROP_PLEINE: { trop: 'themes', maximum: 20 },
  AUTEUR_EXISTANT: { auteur: { id: 1, nom: 'Colette' } },
  REVUE_EXISTANTE: { revue: { id: 1, titre: 'Zoom' }, champ: 'issn' },
  EMPLACEMENT_EXISTANT: { emplacement: { id: 1, nom: 'Salon' } },
  SELECTION_EXISTANTE: { nom: 'Polar' },
  SELECTIONS_TROP_NOMBREUSES: { maximum: 50 },
  NUMERO_EXISTANT: { numero: { id: 1, numero: '12' } },
  FICHIER_INVALIDE: { raison: 'pdf', arguments: {} },
  MODIFIE_ENTRETEMPS: { actuel: null },
  ANNULATION_IMPOSSIBLE: { raison: 'It is lent.' },
  HOTE_INCONNU: { ligne: 'ALLOWED_HOSTS=box' },
  TROP_DE_TENTATIVES: { secondes: 30 },
  TRAVAIL_EN_COURS: { travail: 'import' },
  EPOQUE_PERIMEE: {},
};

/** Refusals whose message is one of their details. */
const SAID_IN_FULL: ReadonlySet<string> = new Set(['ANNULATION_IMPOSSIBLE']);

/** Refusals whose message only the service knows. */
const SAID_BY_THE_SERVICE: ReadonlySet<string> = new Set(['FICHIER_INVALIDE', 'TRAVAIL_EN_COURS']);

function refusalOf(code: string): Refusal {
  const refusal: unknown = Reflect.construct(Refusal, [
    code,
    new Map(Object.entries(DETAILS)).get(code),
  ]);
  if (!isRefusal(refusal)) throw new Error(`no refusal ${code}`);
  return refusal;
}

/** A service that refuses every address `/CODE` with this code. */
async function refusing(): Promise<string> {
  const { context } = await serve();
  const app = await createFramework(context.config);
  await addHooks(app, context, new Writes(context.records, context.journal, beginModification));
  app.get<{ Params: { code: string } }>('/:code', ({ params }) => {
    throw refusalOf(params.code);
  });
  onTestFinished(() => app.close());
  return app.listen({ host: '127.0.0.1', port: 0 });
}

test('every refusal is in the requested language, by default French', async () => {
  const url = await refusing();
  const ask = async (path: string, ...headers: string[]) => {
    const { json, status } = await send(url + path, { headers });
    return { status, ...(json() as { code: string; message: string; champs?: object[] }) };
  };
  for (const code of atLeastOne(REFUSAL_CODES)) {
    const french = await ask(`/${code}`);
    const english = await ask(`/${code}`, 'Accept-Language', 'en-GB,en;q=0.9,fr;q=0.5');
    expect(french.code).toBe(code);
    expect(english.message, code).not.toMatch(FRENCH);
    expect(english.message, code).not.toMatch(/undefined|\[object/);
    expect(english.message === french.message, code).toBe(SAID_IN_FULL.has(code));
    expect(await ask(`/${code}?langue=en`), code).toEqual(english);
    expect(await ask(`/${code}?langue=fr`, 'Accept-Language', 'en'), code).toEqual(french);
    if (SAID_BY_THE_SERVICE.has(code)) continue;
    // A device formats the message itself, whatever the response's language.
    const { message, champs } = french;
    expect(wordsOf(english, { locale: 'fr' }), code).toEqual(
      champs ? { message, champs } : { message },
    );
    expect(wordsOf(french, { locale: 'en' }).message, code).toBe(english.message);
  }
});

const ARGUMENTS: Readonly<Record<string, object>> = {
  TYPE: { types: ['string', 'object'] },
  VALEURS: { valeurs: ['Physique'] },
  LANGUE: { langues: ['fr', 'en'] },
  AVANT_DEBUT: { debut: '2026-01' },
  POUR_ACTION: { action: 'preter', champs: 'emprunteur' },
  COLONNES: { nom: 'x' },
  TOMES: { aucun: '-' },
  ...Object.fromEntries(
    ['TROP_COURT', 'TROP_PEU', 'MINIMUM'].map((code) => [code, { minimum: 3 }]),
  ),
  ...Object.fromEntries(
    ['TROP_LONG', 'TROP', 'MAXIMUM', 'TROP_DE_PAGES', 'TROP_DE_THEMES', 'TROP_DE_DETAILS']
      .concat('SERIE_PLEINE', 'LISTE_PLEINE', 'TROP_LOIN')
      .map((code) => [code, { maximum: 2000 }]),
  ),
};

test.each(CHAMP_CODES)('the fault of a field is described in both languages: %s', (code) => {
  const fault = { code, arguments: ARGUMENTS[code] } as unknown as ChampFault;
  const [french, english] = [
    formatChampFault(fault, { locale: 'fr' }),
    formatChampFault(fault, { locale: 'en' }),
  ];
  expect(english).not.toMatch(FRENCH);
  expect(english).not.toMatch(/undefined|NaN/);
  expect(english).not.toBe(french);
});

test('a refused field has its code and its sentence’s arguments', () => {
  expect(champRefusal('titre', 'TROP_LONG', { maximum: 500 }).wordsIn('en')).toEqual({
    message:
      'The request is not in the expected form (titre: must not be longer than 500 characters).',
    champs: [
      {
        champ: 'titre',
        code: 'TROP_LONG',
        arguments: { maximum: 500 },
        message: 'must not be longer than 500 characters',
      },
    ],
  });
});

test('no operation refuses an English reader in French', async () => {
  const house = await openHouse();
  await house.ask('ana', 'POST', '/api/livres', { titre: 'Dune', auteurs: [], format: 'Physique' });
  const operations = atLeastOne([...(await readOperations())]);
  const described = new Set<string>();
  const inFrench: string[] = [];
  for (const [name, { method, path }] of operations)
    for (const id of ['1', '999', 'x'])
      for (const user of ['ana', null])
        for (const body of method === 'GET' ? [undefined] : ['{}', '{"titre":4,"ids":[1]}', '[']) {
          if (path.includes('evenements')) continue;
          const at = path.replace(/:\w+/g, id);
          const { status, text, headers } = await send(house.url + at, {
            method,
            headers: [
              'Accept-Language',
              'en',
              'Accept',
              'application/json',
              ...Object.entries(house.headersOf(user)).flat(),
              ...(body === undefined ? [] : ['Content-Type', 'application/json']),
            ],
            ...(body !== undefined && { body }),
          });
          if (status < 400 || !headers['content-type']?.includes('json')) continue;
          const {
            code,
            message,
            champs = [],
          } = JSON.parse(text) as {
            code: string;
            message: string;
            champs?: { message: string }[];
          };
          described.add(code);
          const sentences = champs.length === 0 ? [message] : champs.map((champ) => champ.message);
          for (const sentence of sentences)
            if (FRENCH.test(sentence)) inFrench.push(`${name} ${code}: ${sentence}`);
        }
  expect(described.size).toBeGreaterThan(8);
  expect(inFrench).toEqual([]);
});
