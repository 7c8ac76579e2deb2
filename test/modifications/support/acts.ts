import fc from 'fast-check';
import type { Emplacement } from '#shared/emplacements';
import type { Serie } from '#shared/series';
import { atOnePlace, ENTRIES, entryAt, ofOneKind } from '../../support/entries.ts';
import type { Answer, House } from '../../support/house.ts';

/** The people; `null` is unknown. */
export const PEOPLE = ['ana', 'bob', null] as const;

/** The number of kinds of writes; further numbers choose among records and words. */
export const KINDS = 68;
export const act = fc.record({
  kind: fc.nat(KINDS - 1),
  who: fc.constantFrom(...PEOPLE),
  a: fc.nat(7),
  b: fc.nat(7),
  c: fc.nat(7),
});
export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const NOMS = [
  'Colette',
  'COLETTE',
  'S. Colette',
  'Sidonie Colette',
  'Willy',
  'Wily',
  'Ève, Anna',
  '?',
];
const TITRES = [
  'Sido',
  'Chéri',
  'Chéri : roman',
  'Dune, tome 2',
  'Dune, tome 1',
  'L’Atlas',
  'Ida',
  '?',
];
/** Names of details, two of which are equal. */
const NOMS_DE_DETAIL = ['Prix', 'Langue', 'Cote', 'prix'];
const MOTS = ['Mer', 'MER', 'Ville', 'Île', 'Nord', 'Sud', 'Est', '?'];

const pick = (words: readonly string[], index: number) => words[index % words.length] ?? '';

/** Sends a write as a real request; refusals are returned, too. */
export async function doAct(
  house: Pick<House, 'ask'>,
  { kind, who, a, b, c }: Act,
): Promise<Answer> {
  const send = (method: string, path: string, body?: unknown) => house.ask(who, method, path, body);
  const known = who ?? 'ana';
  const ownRequest = (method: string, path: string, body?: unknown) =>
    house.ask(known, method, path, body);
  const id = String(a + 1);
  const livre = {
    ...entryAt(ENTRIES.livres, a + c),
    titre: pick(TITRES, b),
    format: c === 7 ? 'Numerique' : 'Physique',
    auteurs: [pick(NOMS, c), pick(NOMS, b + c)],
    themes: [pick(MOTS, c), pick(MOTS, b)].slice(0, a % 3),
    details: [
      { nom: pick(NOMS_DE_DETAIL, b), valeur: pick(MOTS, c) },
      { nom: pick(NOMS_DE_DETAIL, b + 1), valeur: pick(MOTS, a) },
    ].slice(0, c % 3),
  };
  const numero = {
    ...entryAt(ENTRIES.numeros, a + c),
    numero: String(b % 3),
    themes: [pick(MOTS, b), pick(MOTS, c)],
    articles: [pick(TITRES, c), pick(TITRES, b)].slice(0, c % 3),
  };
  const revue = { ...entryAt(ENTRIES.revues, a + c), titre: pick(MOTS, b) };
  const souhait = {
    ...entryAt(ENTRIES.souhaits, a + c),
    titre: pick(TITRES, b),
    auteur: pick(NOMS, c),
  };
  const secret = {
    ...entryAt(ENTRIES['souhaits-revues'], a + c),
    titre: `Secret ${known} ${pick(MOTS, b)}`,
  };
  const pret = { ...entryAt(ENTRIES.prets, a + c), emprunteur: pick(NOMS, b) };
  const emplacement = { ...entryAt(ENTRIES.emplacements, a + c), nom: pick(MOTS, b) };
  const places = [
    { titre: 'Un', livreId: a + 1 },
    { ...entryAt(ENTRIES.places, a + c), titre: 'Deux', livreId: null },
    { titre: 'Trois', livreId: b + 1 },
  ].slice(0, c % 4);
  const serie = { ...entryAt(ENTRIES.series, a + c), titre: pick(MOTS, b), places };
  /** The ids of a location's children, in reverse order. */
  const inside = async (wanted: number | null) => {
    const { body } = await send('GET', '/api/emplacements');
    return (body as Emplacement[])
      .flatMap(({ id: each, parentId }) => (parentId === wanted ? [each] : []))
      .reverse();
  };
  const lecture = {
    ...atOnePlace(entryAt(ENTRIES.lectures, a + c)),
    titre: `Secret ${pick(MOTS, b)}`,
  };
  /** A personal selection's name is secret, also after it was shared. */
  const selection = {
    ...ofOneKind(entryAt(ENTRIES.selections, a + b)),
    nom: c % 2 === 1 ? pick(MOTS, b) : `Secret ${known} ${pick(MOTS, b)}`,
  };
  const selections = async () =>
    (await ownRequest('GET', '/api/selections')).body as {
      id: number;
      partagee: boolean;
      livres: number[] | null;
    }[];
  const acts: (() => Promise<Answer>)[] = [
    () => send('POST', '/api/livres?confirmerDoublon=true', livre),
    () => send('PUT', `/api/themes/${id}`, { nom: pick(MOTS, b) }),
    () => send('PUT', `/api/livres/${id}`, livre),
    () => send('DELETE', `/api/livres/${id}`),
    () => send('POST', `/api/livres/${id}/prets`, pret),
    () => send('POST', `/api/prets/${id}/retour`),
    () => ownRequest('PUT', `/api/livres/${id}/statut`, { statut: b % 4 === 3 ? null : b % 4 }),
    () => ownRequest('PUT', `/api/livres/${id}/statut`, { statut: c % 3 }),
    () => send('PUT', `/api/auteurs/${id}`, { nom: pick(NOMS, b) }),
    () => send('POST', '/api/auteurs/fusions', { auteurs: [a + 1, b + 1] }),
    () => send('POST', '/api/auteurs/refus', { auteurs: [a + 1, b + 1] }),
    () => send('POST', '/api/series', serie),
    () => send('POST', '/api/series', { ...serie, parentId: (a % 3) + 1 }),
    async () => {
      const { body } = await send('GET', `/api/series/${id}`);
      const { places: kept = [] } = body as Partial<Serie>;
      return send('PUT', `/api/series/${id}`, {
        titre: pick(MOTS, c),
        parentId: b % 2 === 0 ? null : b,
        places: [...places, ...kept.slice(b % 2)],
      });
    },
    () => send('DELETE', `/api/series/${id}`),
    async () => {
      const { body } = await send('GET', `/api/series/${id}`);
      const { elements = [] } = body as Partial<Serie>;
      return send('PUT', `/api/series/${id}/ordre`, { elements: [...elements].reverse() });
    },
    () => send('PUT', `/api/places/${id}/livre`, { livreId: c === 0 ? null : b + 1 }),
    () => ownRequest('POST', `/api/places/${id}/souhait`),
    () => send('POST', '/api/revues', { titre: revue.titre }),
    () => send('DELETE', `/api/revues/${id}`),
    () => send('POST', '/api/revues/numeros', { revue: { titre: pick(MOTS, a) }, numero }),
    () => send('PUT', `/api/numeros/${id}`, numero),
    () => send('DELETE', `/api/numeros/${id}`),
    () => ownRequest('POST', '/api/souhaits', souhait),
    () => ownRequest('PUT', `/api/souhaits/${id}`, souhait),
    () => ownRequest('DELETE', `/api/souhaits/${id}`),
    async () => {
      const { body } = await ownRequest('GET', '/api/souhaits');
      const ids = (body as { id: number }[]).map((each) => each.id);
      return ownRequest('PUT', '/api/souhaits/ordre', {
        ids: [...ids.slice(b % 3), ...ids.slice(0, b % 3)],
      });
    },
    () => ownRequest('POST', `/api/souhaits/${id}/achat`, { confirmerDoublon: true }),
    () => ownRequest('POST', '/api/souhaits-revues', secret),
    () => ownRequest('DELETE', `/api/souhaits-revues/${id}`),
    () => lot(ownRequest, [a + 1, b + 1, c + 1], kind + a + b + c),
    () =>
      send('PUT', `/api/livres/${id}/serie`, {
        serie: c === 0 ? null : { titre: pick(MOTS, b) },
        numero: pick(['', '1', '01', '2'], c),
        de: b === 0 ? null : b,
      }),
    async () => {
      const { body } = await send('GET', `/api/livres/${id}`);
      return send('PUT', `/api/livres/${id}`, { ...(body as object), annee: 1900 + b });
    },
    () => send('POST', `/api/revues/${id}/numeros`, numero),
    () => send('PUT', '/api/bibliotheque', { nom: pick(MOTS, b) }),
    () => send('PUT', `/api/revues/${id}`, revue),
    () => send('POST', '/api/revues', revue),
    () => ownRequest('PUT', `/api/souhaits-revues/${id}`, secret),
    async () => {
      const { body } = await ownRequest('GET', '/api/souhaits-revues');
      const ids = (body as { id: number }[]).map((each) => each.id);
      return ownRequest('PUT', '/api/souhaits-revues/ordre', { ids: ids.reverse() });
    },
    () => ownRequest('POST', `/api/souhaits-revues/${id}/achat`, { numero: String(b) }),
    async () => {
      const { body } = await send('GET', `/api/series/${id}`);
      const { places: kept = [], ...serie } = body as Partial<Serie>;
      const left = kept.filter((_, index) => index !== b % 3);
      return send('PUT', `/api/series/${id}`, { ...serie, places: left });
    },
    () =>
      send('POST', '/api/livres?confirmerDoublon=true', {
        ...livre,
        place: { serie: { titre: pick(MOTS, a) }, numero: String(b) },
      }),
    () =>
      send('PUT', `/api/prets/${id}`, {
        ...pret,
        datePret: `202${String(c % 4)}-03-01T12:00:00Z`,
      }),
    () => send('POST', '/api/emplacements', { nom: pick(MOTS, b), parentId: c % 3 || null }),
    () => send('PUT', `/api/emplacements/${id}`, { ...emplacement, parentId: c || null }),
    () => send('DELETE', `/api/emplacements/${id}`),
    async () => send('PUT', '/api/emplacements/ordre', { ids: await inside(null) }),
    async () => send('PUT', `/api/emplacements/${id}/ordre`, { ids: await inside(a + 1) }),
    () => send('PUT', `/api/livres/${id}/emplacement`, { emplacementId: b || null }),
    () => ownRequest('POST', '/api/lectures', { ...lecture, livreId: id }),
    () => ownRequest('PUT', `/api/lectures/${id}`, { ...lecture, livreId: b === 0 ? null : b }),
    () => ownRequest('DELETE', `/api/lectures/${id}`),
    () => ownRequest('POST', '/api/objectifs', entryAt(ENTRIES.objectifs, a + b)),
    () => ownRequest('DELETE', `/api/objectifs/${id}`),
    () =>
      send('PUT', `/api/emplacements/${b + 1}/livres`, { ids: [...new Set([id, b + 1, c + 1])] }),
    () => send('PUT', `/api/livres/${id}/emplacement`, { emplacementId: b || null, auBout: true }),
    () =>
      send('PUT', '/api/details', {
        nom: pick(NOMS_DE_DETAIL, a),
        nouveau: pick(NOMS_DE_DETAIL, b),
      }),
    () => send('DELETE', `/api/details?nom=${pick(NOMS_DE_DETAIL, b)}`),
    async () => {
      const idsOf = async (list: string) =>
        ((await ownRequest('GET', `/api/${list}`)).body as { id: number }[]).map((each) => each.id);
      return ownRequest('POST', '/api/souhaits/lot', {
        action: pick(['supprimer', 'enTete', 'enFin'], a),
        souhaits: (await idsOf('souhaits')).slice(b % 3, 3),
        revues: (await idsOf('souhaits-revues')).slice(c % 3, 3),
      });
    },
    () =>
      send('PUT', `/api/livres/${id}/emprunt`, {
        emprunteA: c % 3 === 0 ? null : { nom: pick(NOMS, b), depuis: '2026-01-02' },
      }),
    () => send('DELETE', `/api/livres/${id}/emprunt`),
    () => send('POST', '/api/livres/fusions', { garde: a + 1, part: b + 1 }),
    () => ownRequest('POST', '/api/selections', { ...selection, partagee: c % 2 === 1 }),
    async () => {
      const all = await selections();
      const one = all[a % all.length];
      const partagee = one?.partagee === true || c % 2 === 1;
      return ownRequest('PUT', `/api/selections/${String(one?.id ?? 1)}`, {
        ...selection,
        partagee,
      });
    },
    async () => {
      const all = await selections();
      return ownRequest('DELETE', `/api/selections/${String(all[a % all.length]?.id ?? 1)}`);
    },
    () => ownRequest('DELETE', `/api/selections/${id}`),
    async () => {
      const all = await selections();
      const listes = all.filter(({ livres }) => livres !== null);
      const one = listes[a % listes.length] ?? all[0];
      const ids = [1, 2, 3, 4].filter((each) => (b >> each) % 2 === 0);
      return ownRequest('PUT', `/api/selections/${String(one?.id ?? 1)}/livres`, {
        ids: c % 2 === 1 ? ids.reverse() : ids,
      });
    },
    async () => {
      const ids = (await selections()).flatMap((one) =>
        one.partagee === (b % 2 === 1) ? [one.id] : [],
      );
      return ownRequest('PUT', '/api/selections/ordre', { ids: ids.reverse() });
    },
  ];
  return (acts[kind] ?? acts[0])?.() ?? Promise.reject(new Error('no act'));
}

function lot(
  own: (method: string, path: string, body: unknown) => Promise<Answer>,
  ids: readonly number[],
  which: number,
): Promise<Answer> {
  const actions = [
    { action: 'statut', statut: which % 3 },
    { action: 'format', format: 'Physique' },
    { action: 'typeDocument', typeDocument: 'Roman' },
    { action: 'preter', emprunteur: 'Luc' },
    { action: 'rendre' },
    { action: 'serie', serieId: 1 },
    { action: 'liste', selection: (which % 6) + 1 },
    { action: 'supprimer' },
    { action: 'emplacement', emplacementId: (which % 5) + 1 },
    { action: 'detail', nom: pick(NOMS_DE_DETAIL, which), valeur: 'trois' },
    { action: 'detail', nom: pick(NOMS_DE_DETAIL, which), valeur: null },
  ];
  return own('POST', '/api/livres/lot', { ids, ...actions[which % actions.length] });
}
