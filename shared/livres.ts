import { m } from '#messages';
import { Type, type Static } from 'typebox';
import { AuteurRef } from './auteurs.ts';
import { editedColumns, textOf, type ChangeReader, type RowChange } from './change-reader.ts';
import { couvertureOrNull } from './couvertures.ts';
import { Detail, MAX_DETAIL_NOM, MAX_DETAILS } from './details.ts';
import type { Operation, Message } from './history.ts';
import { type ModificationRules, endpoint, onRecord } from './endpoint.ts';
import {
  CoverUrl,
  Day,
  Id,
  Instant,
  Isbn,
  MAX_LENGTHS,
  nullable,
  optionalText,
  optionalTexts,
  Position,
  text,
} from './fields.ts';
import { Rangement } from './emplacements.ts';
import { mapObject, objectKeys } from './object-keys.ts';
import { TRIS } from './sort.ts';
import { StatutOrNull } from './statuts.ts';
import { MAX_THEMES } from './themes.ts';

export const FORMATS = ['Physique', 'Numerique'] as const;
export const Format = Type.Enum([...FORMATS], { type: 'string' });
export type Format = (typeof FORMATS)[number];

export const TYPES_DOCUMENT = ['NonPrecise', 'Roman', 'BandeDessinee'] as const;
export const TypeDocument = Type.Enum([...TYPES_DOCUMENT], { type: 'string' });
export type TypeDocument = (typeof TYPES_DOCUMENT)[number];

/** Catches typing errors. */
export const MAX_NOMBRE_PAGES = 1_000_000;

/** The latest year of an edition, and the earliest before the common era. */
export const MAX_ANNEE = 3000;

export const Annee = Type.Integer({ minimum: -MAX_ANNEE, maximum: MAX_ANNEE });

export const MAX_AUTEURS = 100;

/** The most books of one location that are ordered at once. */
const MAX_RAYON = 5000;

interface LivreTextField {
  /** In code points. */
  readonly maxLength: number;
  /** Name of the field, and header of its column in the household's table. */
  readonly label: typeof m.field_editeur;
  /**
   * Names in files for other programs, for reading and writing (docs/rules.md § 41); a file without one loses the
   * field.
   */
  readonly names: Readonly<Partial<Record<'goodreads.csv' | 'livres.bib' | 'livres.ris', string>>>;
}

const TEXTS = {
  editeur: {
    maxLength: MAX_LENGTHS.nom,
    label: m.field_editeur,
    names: { 'goodreads.csv': 'Publisher', 'livres.bib': 'publisher', 'livres.ris': 'PB' },
  },
} satisfies Readonly<Record<string, LivreTextField>>;
export type LivreText = keyof typeof TEXTS;

/**
 * Optional one-line texts of a book, in the order of tables. Forms, payloads, files and messages follow from an entry
 * (docs/recipes.md § A new field).
 */
export const LIVRE_TEXTS: Readonly<Record<LivreText, LivreTextField>> = TEXTS;
export type LivreTexts<T> = Readonly<Record<LivreText, T>>;

export const isLivreText = (name: string): name is LivreText => Object.hasOwn(LIVRE_TEXTS, name);

/** The texts that a file for other programs includes, with their names there. */
export const textsInFile = (
  file: keyof LivreTextField['names'],
): readonly (readonly [text: LivreText, name: string])[] =>
  objectKeys(LIVRE_TEXTS).flatMap((text) => {
    const name = LIVRE_TEXTS[text].names[file];
    return name === undefined ? [] : [[text, name] as const];
  });

/** Picks the texts of a record. */
export const textsOf = <T>(record: LivreTexts<T>): LivreTexts<T> =>
  mapObject(LIVRE_TEXTS, (name) => record[name]);

/** For a borrowed book: the lender, since when, and the due day (docs/rules.md § 57). */
export const Emprunt = Type.Object({
  nom: text(MAX_LENGTHS.nom),
  depuis: Day,
  aRendre: nullable(Day),
});
export type Emprunt = Static<typeof Emprunt>;

/** Whether the household owns a book; borrowed ones are not owned. */
export const isOurs = ({ emprunteA }: { readonly emprunteA: Emprunt | null }): boolean =>
  emprunteA === null;

/** The open loan of a book, as a list of books shows it. */
export const OpenPret = Type.Object({
  id: Id,
  emprunteur: text(MAX_LENGTHS.nom),
  datePret: Instant,
});
export type OpenPret = Static<typeof OpenPret>;

/** With the caller's status and the open loan (docs/rules.md § 9). */
export const Livre = Type.Object({
  id: Id,
  titre: text(MAX_LENGTHS.titre),
  titreNormalise: Type.String(),
  auteurs: Type.Array(AuteurRef, { maxItems: MAX_AUTEURS }),
  isbn: nullable(Isbn),
  isbnAffiche: nullable(Type.String({ maxLength: 17 })),
  format: Format,
  typeDocument: TypeDocument,
  nombrePages: nullable(Type.Integer({ minimum: 1, maximum: MAX_NOMBRE_PAGES })),
  coverUrl: nullable(CoverUrl),
  couverture: couvertureOrNull,
  .../* @__PURE__ */ mapObject(LIVRE_TEXTS, (_, { maxLength }) =>
    nullable(Type.String({ maxLength })),
  ),
  annee: nullable(Annee),
  /** By name, in order (docs/rules.md § 21). */
  themes: Type.Array(text(MAX_LENGTHS.nom), { maxItems: MAX_THEMES }),
  /** docs/rules.md § 56 */
  details: Type.Array(Detail, { maxItems: MAX_DETAILS }),
  emprunteA: nullable(Emprunt),
  /** docs/rules.md § 51 */
  emplacementId: nullable(Id),
  /** The position in its location; `null` if unknown. */
  rang: nullable(Position),
  ajoutePar: nullable(Type.String({ maxLength: MAX_LENGTHS.nom })),
  dateAjout: Instant,
  statut: StatutOrNull,
  pret: nullable(OpenPret),
});
export type Livre = Static<typeof Livre>;

/** Loans and statuses are collections of their own on a device. */
const { statut: _s, pret: _p, ...copied } = Livre.properties;
export const LivreDocument = Type.Object(copied);
export type LivreDocument = Static<typeof LivreDocument>;

/** From today by default. */
export const EmpruntSaisi = Type.Object({
  nom: Emprunt.properties.nom,
  depuis: optionalText(10),
  aRendre: optionalText(10),
});
export type EmpruntSaisi = Static<typeof EmpruntSaisi>;

/** The payload of a book; server/subjects/livres/livres.ts has the rules that a schema cannot state. */
export const LivreSaisi = Type.Object({
  titre: text(MAX_LENGTHS.titre),
  format: Format,
  auteurs: Type.Optional(
    nullable(
      Type.Array(
        Type.Union([
          Type.String({ maxLength: MAX_LENGTHS.nom }),
          Type.Object({ nom: Type.String({ maxLength: MAX_LENGTHS.nom }) }),
        ]),
        { maxItems: MAX_AUTEURS },
      ),
    ),
  ),
  isbn: optionalText(MAX_LENGTHS.code),
  typeDocument: Type.Optional(
    Type.Unsafe<TypeDocument | '' | null>({ enum: [...TYPES_DOCUMENT, '', null] }),
  ),
  nombrePages: Type.Optional(nullable(Type.Number())),
  coverUrl: optionalText(MAX_LENGTHS.url),
  .../* @__PURE__ */ mapObject(LIVRE_TEXTS, (_, { maxLength }) => optionalText(maxLength)),
  annee: Type.Optional(nullable(Annee)),
  themes: optionalTexts(MAX_LENGTHS.nom, MAX_THEMES),
  emprunteA: Type.Optional(nullable(EmpruntSaisi)),
  details: Type.Optional(
    nullable(
      Type.Array(
        Type.Object({
          nom: Type.String({ maxLength: MAX_DETAIL_NOM }),
          valeur: Type.String({ maxLength: MAX_LENGTHS.freeText }),
        }),
        { maxItems: MAX_DETAILS },
      ),
    ),
  ),
});
export type LivreSaisi = Static<typeof LivreSaisi>;

/**
 * The series of a book: by id or title, created if unknown, or none (`null`). A blank `numero` keeps the place's,
 * unless `de` names that place (docs/rules.md § 19).
 */
export const SerieDuLivre = Type.Object({
  serie: Type.Union([
    Type.Object({ id: Id }),
    Type.Object({ titre: text(MAX_LENGTHS.titre) }),
    Type.Null(),
  ]),
  numero: optionalText(MAX_LENGTHS.code),
  /** The volumes in the book, « 4-6 » or « aucun »; blank derives them from number and title. Left out, unchanged. */
  tomes: optionalText(MAX_LENGTHS.code),
  /** The place that the book leaves: its first one by default, none if `null`. */
  de: Type.Optional(nullable(Id)),
});
export type SerieDuLivre = Static<typeof SerieDuLivre>;

/** The payload of a book, with its series and location in the same request. */
export const LivreSaisiEnSerie = Type.Object({
  ...LivreSaisi.properties,
  place: Type.Optional(nullable(SerieDuLivre)),
  /** Left out, the book stays where it is. */
  emplacementId: Type.Optional(nullable(Id)),
});
export type LivreSaisiEnSerie = Static<typeof LivreSaisiEnSerie>;

/** In the query or the body: adds the book despite similar ones. */
export const ConfirmerDoublonQuery = Type.Object({
  confirmerDoublon: Type.Optional(Type.Boolean()),
});
export const ConfirmerDoublonBody = Type.Object({
  confirmerDoublon: Type.Optional(nullable(Type.Boolean())),
});

export const MANQUES = ['couverture', 'isbn', 'serie'] as const;
export type Manque = (typeof MANQUES)[number];

/** Whether a book is the household's own. */
export const APPARTENANCES = ['aNous', 'emprunte'] as const;
export type Appartenance = (typeof APPARTENANCES)[number];

/** The values of the caller's own status; `aucun` is « not started ». */
export const STATUT_CRITERES = ['aucun', '0', '1', '2'] as const;
export type StatutCritere = (typeof STATUT_CRITERES)[number];

/** Several values of one criterion, with commas: `0,aucun`. */
const several = (values: readonly string[]) => {
  const one = `(?:${values.join('|')})`;
  return Type.String({ pattern: `^${one}(?:,${one})*$`, maxLength: 100 });
};

export const valuesOf = <T extends string>(
  values: readonly T[],
  criterion: string | undefined,
): readonly T[] => {
  const given = new Set(criterion?.split(','));
  return values.filter((value) => given.has(value));
};

/** The criteria of the catalogue, the same words in a query string and in the page's address. */
export const Criteres = Type.Object({
  recherche: Type.Optional(Type.String({ maxLength: MAX_LENGTHS.titre })),
  format: Type.Optional(Format),
  /** Any of these. */
  statut: Type.Optional(several(STATUT_CRITERES)),
  typeDocument: Type.Optional(TypeDocument),
  disponibilite: Type.Optional(Type.Enum(['chezSoi', 'prete'], { type: 'string' })),
  appartenance: Type.Optional(Type.Enum([...APPARTENANCES], { type: 'string' })),
  /** All of these are lacking. */
  sans: Type.Optional(several(MANQUES)),
  /** By its normalised name. */
  editeur: Type.Optional(Type.String({ maxLength: MAX_LENGTHS.nom })),
  /** In any spelling. */
  theme: Type.Optional(Type.String({ maxLength: MAX_LENGTHS.nom })),
  /** `Traduction:Lise Marchand`, in any spelling; a name alone for any value. */
  detail: Type.Optional(Type.String({ maxLength: MAX_LENGTHS.titre })),
  /** The id of a location, for all that is in it or below it, or `aucun`. */
  emplacement: Type.Optional(Type.String({ pattern: '^(?:aucun|[1-9][0-9]{0,15})$' })),
  /** The id of an import of the caller's: filters by the books that it created (docs/rules.md § 37). */
  importation: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,15}$' })),
});
export type Criteres = Static<typeof Criteres>;

/** The order of a list of books; by normalised title where left out (docs/rules.md § 6). */
export const Order = Type.Object({
  tri: Type.Optional(Type.Enum([...TRIS], { type: 'string' })),
  /** Whether to reverse the order; books without the sorted value stay last. */
  inverse: Type.Optional(Type.Boolean()),
});
export type Order = Static<typeof Order>;

const Page = Type.Object({
  limite: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  decalage: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
});

export const listerLivres = endpoint({
  method: 'GET',
  path: '/api/livres',
  summary:
    'Les livres qui répondent aux critères, par titre ou selon tri ; leur nombre dans X-Total-Count.',
  query: Type.Object({ ...Criteres.properties, ...Order.properties, ...Page.properties }),
  response: Type.Array(Livre),
});

export const lireLivre = endpoint({
  method: 'GET',
  path: '/api/livres/:id',
  record: { collection: 'livres', tagCoversBody: false },
  summary: 'Un livre.',
  response: Livre,
});

const placeTaken = (changes: ChangeReader): RowChange['apres'] =>
  changes.rows('Place').find(({ apres }) => typeof apres?.['livreId'] === 'number')?.apres ?? null;

function describePlacing(changes: ChangeReader): Message {
  const [first] = changes.rows('Place');
  if (first?.avant && first.apres && editedColumns(first).join() === 'tomes')
    return { fait: 'tomesNotes', nom: changes.nameOf('livres', first.apres['livreId']) };
  const placed = placeTaken(changes);
  if (placed)
    return {
      fait: 'livrePlace',
      serie: changes.nameOf('series', placed['serieId']),
      nom: changes.nameOf('livres', placed['livreId']),
    };
  const livreId = changes.rows('Place')[0]?.avant?.['livreId'];
  return {
    fait: 'livreRetireDeSerie',
    serie: changes.name('series'),
    nom: changes.nameOf('livres', livreId),
  };
}

export const placing = <const O extends Operation>(operation: O) => ({
  operation,
  message: describePlacing,
});

/** The message for any new book, wherever it comes from. */
export const livreAjoute: ModificationRules = {
  operation: 'ajouterLivre',
  message: (changes) => {
    const placed = placeTaken(changes);
    return {
      fait: 'livreAjoute',
      nom: changes.name('livres'),
      serie: placed && changes.nameOf('series', placed['serieId']),
    };
  },
};

/** A written book, with the typed names that belong to merged authors. */
const LivreEcrit = Type.Object({
  ...Livre.properties,
  auteursReunis: Type.Optional(
    Type.Array(Type.Object({ saisi: Type.String(), nom: Type.String() })),
  ),
});
export type LivreEcrit = Static<typeof LivreEcrit>;

export const ajouterLivre = endpoint({
  method: 'POST',
  path: '/api/livres',
  record: { collection: 'livres' },
  modification: livreAjoute,
  summary: 'Ajoute un livre ; un livre qui ressemble à d’autres demande confirmerDoublon.',
  query: ConfirmerDoublonQuery,
  body: Type.Object({ ...LivreSaisiEnSerie.properties, ...ConfirmerDoublonBody.properties }),
  response: LivreEcrit,
  status: 201,
});

export const modifierLivre = endpoint({
  ...onRecord('livres'),
  method: 'PUT',
  modification: { operation: 'modifierLivre', message: 'livreModifie' },
  summary: 'Récrit un livre en entier : ce qui est laissé de côté est effacé.',
  body: LivreSaisiEnSerie,
  response: LivreEcrit,
});

export const placerEnSerie = endpoint({
  method: 'PUT',
  path: '/api/livres/:id/serie',
  record: { collection: 'livres' },
  modification: placing('placerEnSerie'),
  actsAsHousehold: true,
  summary: 'Met un livre dans une série, l’y numérote, l’en change ou l’en retire.',
  body: SerieDuLivre,
  response: Livre,
});

function describeRangement(changes: ChangeReader): Message {
  const emplacement = changes.nameOf('emplacements', changes.value('Livre', 'emplacementId'));
  const nom = changes.name('livres');
  return emplacement === ''
    ? { fait: 'livreSansEmplacement', nom }
    : { fait: 'livreRange', emplacement, nom };
}

export const rangerLivre = endpoint({
  method: 'PUT',
  path: '/api/livres/:id/emplacement',
  record: { collection: 'livres' },
  modification: {
    operation: 'rangerLivre',
    message: describeRangement,
  },
  summary: 'Range un livre dans un emplacement, ou l’en retire (null).',
  body: Rangement,
  response: Livre,
});

/** Books of one location from left to right. */
const OrdreDuRayon = Type.Object({
  ids: Type.Array(Id, { minItems: 1, maxItems: MAX_RAYON, uniqueItems: true }),
});

const describeOrdre = (changes: ChangeReader): Message => ({
  fait: 'rayonOrdonne',
  nom: changes.nameOf('emplacements', changes.value('Livre', 'emplacementId')),
});

export const ordonnerLivres = endpoint({
  method: 'PUT',
  path: '/api/emplacements/:id/livres',
  modification: { operation: 'ordonnerLivres', message: describeOrdre },
  summary:
    'Dit dans quel ordre des livres sont dans un emplacement, de gauche à droite ; les autres restent derrière leur voisin.',
  body: OrdreDuRayon,
});

export const supprimerLivre = endpoint({
  ...onRecord('livres'),
  method: 'DELETE',
  modification: { operation: 'supprimerLivre', message: 'livreSupprime' },
  summary: 'Supprime un livre, ses prêts rendus et ses statuts.',
});

const describeEmprunt = (changes: ChangeReader): Message => {
  const preteur = nomOfPreteur(changes.value('Livre', 'emprunteA'));
  const nom = changes.name('livres');
  return preteur === ''
    ? { fait: 'livreDevenuNotre', nom }
    : { fait: 'livreEmprunte', preteur, nom };
};

function nomOfPreteur(column: unknown): string {
  if (typeof column !== 'string') return '';
  const emprunt: unknown = JSON.parse(column);
  return textOf(Reflect.get(Object(emprunt), 'nom'));
}

export const noterEmprunt = endpoint({
  method: 'PUT',
  path: '/api/livres/:id/emprunt',
  record: { collection: 'livres' },
  modification: {
    operation: 'noterEmprunt',
    message: describeEmprunt,
  },
  actsAsHousehold: true,
  summary: 'Dit à qui un livre est emprunté ; null : il est devenu le nôtre.',
  body: Type.Object({ emprunteA: nullable(EmpruntSaisi) }),
  response: Livre,
});

export const rendreEmprunt = endpoint({
  method: 'DELETE',
  path: '/api/livres/:id/emprunt',
  record: { collection: 'livres' },
  modification: {
    operation: 'rendreEmprunt',
    message: (changes) => ({
      fait: 'livreRendu',
      preteur: nomOfPreteur(changes.value('Livre', 'emprunteA')),
      nom: changes.name('livres'),
    }),
  },
  actsAsHousehold: true,
  summary: 'Rend un livre emprunté : sa fiche s’en va, ses lectures restent.',
});
