import fc from 'fast-check';
import type { Static, TObject } from 'typebox';
import type { EmplacementSaisi } from '#shared/emplacements';
import type { LectureSaisie } from '#shared/lectures';
import { LIVRE_TEXTS, type LivreSaisi } from '#shared/livres';
import type { NumeroSaisi } from '#shared/numeros';
import { mapObject } from '#shared/object-keys';
import type { ObjectifSaisi } from '#shared/objectifs';
import type { PretSaisi } from '#shared/prets';
import type { RevueSaisie } from '#shared/revues';
import type { CriteresGardes, SelectionSaisie } from '#shared/selections';
import type { PlaceSaisie, SerieSaisie } from '#shared/series';
import type { RevueSouhaiteeSaisie } from '#shared/souhaits-revues';
import type { SouhaitSaisi } from '#shared/souhaits';

/** References to other records, whose ids only the caller knows. */
type Link = 'id' | 'livreId' | 'parentId' | 'places';

/** Several values of each field; the type requires them for a new field, too. */
type ValuesOf<S> = {
  readonly [K in Exclude<keyof S, Link>]-?: readonly Exclude<S[K], undefined>[];
};

const COVER = 'https://exemple.org/c.jpg';
const TITRES = [
  'Nadja',
  'nadja',
  '=SOMME(A1)',
  'Œuvres\u00a0: tome 2',
  'Œuvres',
  '😀',
  '…',
  'Zoé & {x}',
  'Le « Grand » ; suite',
  'Deux\nlignes',
];
const ISBNS = [null, null, '9782070360024', '9782253004226', '9782070368228'];

/** Names of authors. */
export const NOMS = [
  'Jean Martin',
  'JEAN MARTIN',
  'Jacques Martin',
  'J. Martin',
  'Élise Brun',
  'BRUN, Luc',
  'Æ',
  'Colette',
  '?',
];

/** Every criterion of the catalogue, and one of a later version. */
export const WHOLE_CRITERES: CriteresGardes = {
  recherche: 'L’« été »',
  format: 'Physique',
  statut: '0,aucun',
  typeDocument: 'Roman',
  disponibilite: 'chezSoi',
  appartenance: 'aNous',
  sans: 'couverture',
  editeur: 'Rivages',
  theme: 'Polar',
  detail: 'Prix:12',
  emplacement: '1',
  tri: 'ajout',
  inverse: true,
  demain: 'oui',
};

/**
 * Values that people enter, by payload and field. Random households are generated from them (test/export,
 * test/modifications).
 */
export const ENTRIES = {
  livres: {
    titre: TITRES,
    format: ['Physique', 'Numerique', 'Physique'],
    auteurs: [[], ...NOMS.map((nom, index) => [nom, ...NOMS.slice(index + 3, index + 5)])],
    isbn: ISBNS,
    typeDocument: ['Roman', 'BandeDessinee', null],
    nombrePages: [null, 123],
    coverUrl: [null, COVER],
    ...mapObject(LIVRE_TEXTS, (name) => [null, `Éditions, « du » ${name}`]),
    annee: [null, -50, 1900, 2026],
    emprunteA: [
      null,
      null,
      { nom: 'Lise', depuis: '2026-01-02', aRendre: null },
      { nom: 'La « bibliothèque » du port', depuis: '2026-01-02', aRendre: '2026-03-03' },
    ],
    themes: [[], ['Mer'], ['Île', 'Mer']],
    details: [
      [],
      [{ nom: 'Prix', valeur: '12 €' }],
      [
        { nom: 'Langue', valeur: 'français' },
        { nom: 'prix', valeur: '=3 ; « rien »' },
        { nom: 'Résumé', valeur: 'Deux\nlignes' },
      ],
    ],
  } satisfies ValuesOf<LivreSaisi>,
  emplacements: {
    nom: ['Salon', '=Étagère > 3', 'Cave', 'Carton'],
    note: [null, 'Au fond'],
    fermeLe: [null, '2026-03-03T10:00:00.000Z'],
  } satisfies ValuesOf<EmplacementSaisi>,
  prets: {
    emprunteur: ['Tante Zoé', 'Luc'],
    datePret: ['2024-01-02T10:00:00.000Z', '2025-05-02T10:00:00.000Z'],
    dateRetourPrevue: [null, '2026-03-01', '2099-03-01'],
  } satisfies ValuesOf<PretSaisi>,
  series: { titre: TITRES, nombreTomes: [null, 3] } satisfies ValuesOf<SerieSaisie>,
  places: {
    titre: TITRES,
    numero: [null, '1', '2', '7 bis'],
    tomes: [null, '4-6', 'aucun'],
    auteur: [null, 'Colette'],
    isbn: ISBNS,
  } satisfies ValuesOf<PlaceSaisie>,
  revues: {
    titre: TITRES,
    issn: [null, '0988-2480'],
    secondIssn: [null, '0988-2480', '2917-0443'],
  } satisfies ValuesOf<RevueSaisie>,
  numeros: {
    numero: ['1', '2 bis', 'hors série'],
    date: [null, 'printemps 2026', '2026-02'],
    coverUrl: [null, COVER],
    une: [null, 'À\nla une'],
    resume: [null, 'Un\nrésumé'],
    themes: [[], ['Mer'], ['Mer', 'Île']],
    articles: [[], ['Un'], ['Un', 'Deux']],
  } satisfies ValuesOf<NumeroSaisi>,
  souhaits: {
    titre: TITRES,
    auteur: [null, 'Colette', 'Luc Brun ; Colette'],
    isbn: ISBNS,
    coverUrl: [null, COVER],
  } satisfies ValuesOf<SouhaitSaisi>,
  'souhaits-revues': {
    titre: TITRES,
    numero: [null, '12', 'Hors série'],
    issn: [null, '0988-2480'],
  } satisfies ValuesOf<RevueSouhaiteeSaisie>,
  selections: {
    nom: ['À lire', 'Polars du « salon »', 'polars du salon', '?'],
    criteres: [WHOLE_CRITERES, { theme: 'Mer' }, { tri: 'auteur', inverse: true }],
    livres: [[], [2, 1], [], [1]],
    partagee: [false, true],
    accueil: [false, true],
  } satisfies ValuesOf<SelectionSaisie>,
  objectifs: {
    annee: ['2019', '2026'],
    unite: ['livres', 'pages'],
    nombre: [1, 24, 6000],
  } satisfies ValuesOf<ObjectifSaisi>,
  lectures: {
    titre: ['Prêté par Luc', 'Ailleurs'],
    auteurs: [[], ['Colette', 'Luc']],
    isbn: ISBNS,
    debut: [null, '2018', '2019-03'],
    fin: [null, '2019-03', '2019-04-12'],
    abandon: [false, true],
    note: [null, 7],
    avis: [null, 'Un\nmot'],
    page: [null, 12],
    pourcent: [null, 35],
    pageJour: [null, '2019-03-20'],
  } satisfies ValuesOf<LectureSaisie>,
};

/** Drops the criteria of a selection that has books: a selection is either a search or a list. */
export function ofOneKind<T extends { criteres: CriteresGardes; livres: readonly number[] }>(
  selection: T,
): Omit<T, 'criteres' | 'livres'> & Partial<Pick<T, 'criteres' | 'livres'>> {
  const { criteres, livres, ...rest } = selection;
  return livres.length === 0 ? { ...rest, criteres } : { ...rest, livres };
}

/** Drops the percentage of a reading that has a page. */
export const atOnePlace = <T extends { page: number | null; pourcent: number | null }>(
  lecture: T,
): T => (lecture.page === null ? lecture : { ...lecture, pourcent: null });

type Values = Readonly<Record<string, readonly unknown[]>>;
type EntryOf<V extends Values> = { readonly [K in keyof V]: V[K][number] };

/** An arbitrary of payloads with these values. */
export const anyEntry = <V extends Values>(values: V): fc.Arbitrary<EntryOf<V>> =>
  fc.record(
    Object.fromEntries(
      Object.entries(values).map(([field, choices]) => [field, fc.constantFrom(...choices)]),
    ),
  ) as fc.Arbitrary<EntryOf<V>>;

/** Payload number n, in which each field takes a different one of its values. */
export const entryAt = <V extends Values>(values: V, number: number): EntryOf<V> =>
  Object.fromEntries(
    Object.entries(values).map(([field, choices], index) => [
      field,
      choices[(number + index) % choices.length],
    ]),
  ) as EntryOf<V>;

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

const saysNothing = (value: unknown): boolean =>
  [null, undefined, '', 0, false].some((nothing) => nothing === value);

/** The paths of a shape's fields that are empty in all of these records. */
export function unsaidFields(shape: object, records: readonly unknown[], at: string): string[] {
  const { properties = {} } = shape as Shape;
  return Object.entries(properties).flatMap(([name, field]) => {
    const values = records
      .flatMap((record): unknown[] => [Reflect.get(Object(record), name)].flat())
      .filter((value) => !saysNothing(value));
    const path = `${at}.${name}`;
    return values.length === 0 ? [path] : unsaidFields(field.items ?? field, values, path);
  });
}

/** A payload in which no field is missing or `null`. */
export type Whole<S extends TObject> = {
  readonly [K in keyof Static<S>]-?: Exclude<Static<S>[K], null | undefined>;
};

/** A book with every field filled. */
export const WHOLE_LIVRE = {
  titre: 'Voyages',
  format: 'Physique',
  auteurs: ['Frank Herbert', 'Colette'],
  isbn: '9782070360024',
  typeDocument: 'Roman',
  nombrePages: 214,
  coverUrl: COVER,
  ...mapObject(LIVRE_TEXTS, (name) => `Le ${name} du Seuil`),
  annee: 2011,
  emprunteA: { nom: 'Bibliothèque du port', depuis: '2026-02-03', aRendre: '2026-03-03' },
  themes: ['Mer', 'Île'],
  details: [
    { nom: 'Traduction', valeur: 'Lise Marchand' },
    { nom: 'Résumé', valeur: 'Une histoire\nen deux lignes' },
  ],
} satisfies Whole<typeof LivreSaisi>;
