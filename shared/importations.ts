import { Type, type Static } from 'typebox';
import { MAX_DETAIL_NOM } from './details.ts';
import { MAX_NIVEAUX } from './emplacements.ts';
import { endpoint } from './endpoint.ts';
import { Count, Id, Instant, MAX_LENGTHS, nullable, optionalTexts } from './fields.ts';
import { LIVRE_TEXTS } from './livres.ts';
import { objectKeys } from './object-keys.ts';
import { StatutOrNull } from './statuts.ts';

/** How many days an import can be undone, and is listed (docs/rules.md § 37). */
export const IMPORTATION_DAYS = 30;

/** In bytes. */
export const MAX_IMPORT_BYTES = 50 * 1024 * 1024;

/** The encodings that a person may choose besides the detected one. */
export const ENCODAGES = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'iso-8859-15',
  'cp850',
  'macintosh',
  'windows-1250',
  'windows-1254',
  'windows-1251',
  'koi8-r',
  'windows-1253',
  'windows-1255',
  'windows-1256',
  'windows-874',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
] as const;
export type Encodage = (typeof ENCODAGES)[number];

/** How an encoding was determined: by the bytes, by a guess, or by the person. */
const ENCODAGE_PAR = ['octets', 'estimation', 'choix'] as const;
export type EncodagePar = (typeof ENCODAGE_PAR)[number];

/** How a file was decoded (docs/rules.md § 35). */
export const DecodageLu = Type.Object({
  encodagePar: Type.Enum([...ENCODAGE_PAR], { type: 'string' }),
  /** Three lines with non-ASCII letters as they were decoded, unless the bytes determine the encoding. */
  encodageExemples: Type.Array(Type.String()),
});
export type DecodageLu = Static<typeof DecodageLu>;

/** The fields that a column of any table can be read as. */
export const COLONNES = [
  'titre',
  'auteurs',
  'isbn',
  ...objectKeys(LIVRE_TEXTS),
  'annee',
  'nombrePages',
  'format',
  'statut',
  'serie',
  'numero',
  'tomes',
  'emplacement',
  'emprunteur',
  'datePret',
  'dateRetourPrevue',
  'preteur',
  'dateEmprunt',
  'souhait',
  'themes',
] as const;
export type Colonne = (typeof COLONNES)[number];

export const COLONNES_MULTIPLES = ['auteurs', 'themes'] as const;
type ColonneMultiple = (typeof COLONNES_MULTIPLES)[number];

/** Field → the header of its column. */
export type Colonnes = Partial<Record<Exclude<Colonne, ColonneMultiple>, string>> &
  Readonly<Partial<Record<ColonneMultiple, string | readonly string[]>>>;
const ColonnesOrNull = Type.Unsafe<Colonnes | null>({
  type: ['object', 'null'],
  additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
});

/** `lecture`: a reading of a book that is not the household's. */
export const ROW_OUTCOMES = ['nouveau', 'present', 'souhait', 'lecture', 'refuse'] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];
const RowOutcome = Type.Enum([...ROW_OUTCOMES], { type: 'string' });

/** `essai` for a dry run, later executed and perhaps undone. */
const ETATS_IMPORTATION = ['essai', 'faite', 'annulee'] as const;
export type EtatImportation = (typeof ETATS_IMPORTATION)[number];

export const ImportationCounts = Type.Object({
  nouveaux: Count,
  presents: Count,
  souhaits: Count,
  /** Rows that are a reading, but no book of the household. */
  lectures: Count,
  /** Among `presents`, the books that receive missing fields. */
  completes: Count,
  statuts: Count,
  prets: Count,
  series: Count,
  /** Ratings and dates of reading in the file. */
  notes: Count,
  datesDeLecture: Count,
});
export type ImportationCounts = Static<typeof ImportationCounts>;

/** A dry run or an import as a list has it: counts, and nothing as long as its file (docs/rules.md § 35). */
const ImportationListee = Type.Object({
  id: Id,
  etat: Type.Enum([...ETATS_IMPORTATION], { type: 'string' }),
  date: Instant,
  nom: nullable(Type.String()),
  /** The name of its format, which stays the same in every version: « goodreads », « table ». */
  format: Type.String(),
  /** The name of the program or standard; `null` for an unknown table and a list of ISBNs. */
  programme: nullable(Type.String()),
  encodage: Type.Enum([...ENCODAGES], { type: 'string' }),
  /** `nouveaux + presents + souhaits + lectures + nombreRefuses`. */
  lignes: Count,
  ...ImportationCounts.properties,
  nombreRefuses: Count,
  /** Rows that wait for the catalogues, counted among the refused ones. */
  enRecherche: Count,
});
export type ImportationListee = Static<typeof ImportationListee>;

/** A column that no field takes, with the number of rows that have a value. */
const ColonnePerdue = Type.Object({
  colonne: Type.String(),
  lignes: Count,
  /** The column's first values; omitted, like the following, if it cannot be a detail. */
  exemples: Type.Optional(Type.Array(Type.String())),
  /** For a column of entry dates: the number of readable ones (docs/rules.md § 35). */
  entrees: Type.Optional(Count),
  /** The detail that it is of each book, where `garder` (docs/rules.md § 35). */
  proposition: Type.Optional(Type.Object({ detail: Type.String(), garder: Type.Boolean() })),
});
export type ColonnePerdue = Static<typeof ColonnePerdue>;

/** A word of some books in the file, and whether it becomes a theme (docs/rules.md § 35). */
export const ThemePropose = Type.Object({
  nom: Type.String(),
  /** The number of its books in the file. */
  livres: Count,
  colonnes: Type.Array(Type.String()),
  repris: Type.Boolean(),
});
export type ThemePropose = Static<typeof ThemePropose>;

/** Limit for proposed words, those of the most books first. */
export const MAX_THEMES_PROPOSES = 5000;

const ORDRES_NOMS = ['nomPrenom', 'prenomNom'] as const;
const OrdreNoms = Type.Enum([...ORDRES_NOMS], { type: 'string' });
export type OrdreNoms = (typeof ORDRES_NOMS)[number];

/** The likely order of the file's names, and a few of them in both orders. */
export const OrdreDesNoms = Type.Object({
  ordre: OrdreNoms,
  /** How many names have an order; missing in older dry runs. */
  noms: Type.Optional(Count),
  /** Empty if the order makes no difference. */
  exemples: Type.Array(Type.Object({ nom: Type.String(), inverse: Type.String() })),
});
export type OrdreDesNoms = Static<typeof OrdreDesNoms>;

/** The meaning of « to read » for books whose ownership the file leaves open. */
const A_LIRE = ['statut', 'souhait'] as const;
const ALire = Type.Enum([...A_LIRE], { type: 'string' });
export type ALire = (typeof A_LIRE)[number];

/** For numeric days with the year last: « 3/4/2021 ». */
const ORDRES_DATES = ['jourMois', 'moisJour'] as const;
const OrdreDates = Type.Enum([...ORDRES_DATES], { type: 'string' });
export type OrdreDates = (typeof ORDRES_DATES)[number];

/** Questions that a file leaves open, each with its count and the answer in use (docs/rules.md § 35). */
export const Questions = Type.Object({
  aLire: Type.Optional(Type.Object({ lignes: Count, reponse: ALire })),
  /** The order of day and month, if no date of the file shows it; `exemple` is a date of the file, read both ways. */
  ordreDates: Type.Optional(
    Type.Object({
      dates: Count,
      exemple: Type.String(),
      jourMois: Type.String(),
      moisJour: Type.String(),
      reponse: OrdreDates,
    }),
  ),
  /** Days of entry: of how many rows, and the first and the last of them. */
  datesEntree: Type.Optional(
    Type.Object({ lignes: Count, premiere: Type.String(), derniere: Type.String() }),
  ),
  /** Locations that may be paths: « House / Office » and its names. */
  chemins: Type.Optional(
    Type.Object({ lignes: Count, exemple: Type.String(), noms: Type.Array(Type.String()) }),
  ),
});
export type Questions = Static<typeof Questions>;

/** Whether the first line of a table without a known header is a book, or names the columns. */
const PREMIERE_LIGNE = ['livre', 'entete'] as const;
const PremiereLigne = Type.Enum([...PREMIERE_LIGNE], { type: 'string' });
export type PremiereLigne = (typeof PREMIERE_LIGNE)[number];

/** A message code with its arguments. */
const Motif = Type.Object({
  code: Type.String(),
  arguments: Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    additionalProperties: true,
  }),
});

/** The same with the sentence in the reader's language. */
const Raison = { raison: Type.String(), ...Motif.properties };

/** The number of rows with a warning, and the first of them. */
const RaisonGroupee = Type.Object({
  ...Raison,
  nombre: Count,
  lignes: Type.Array(Count),
});
export type RaisonGroupee = Static<typeof RaisonGroupee>;

/** How many refused rows and warnings an import includes; further ones are on its pages of rows. */
export const MAX_LISTES = 100;

/** Limits for the distinct warnings of an import, and for the rows of one. */
export const MAX_RAISONS = 200;
export const MAX_LIGNES_PAR_RAISON = 8;

/** A dry run or an import, with the beginning of its long lists. */
export const Importation = Type.Object({
  ...ImportationListee.properties,
  refuses: Type.Array(Type.Object({ ligne: Count, ...Raison, texte: Type.String() })),
  /** First those of the whole file (`ligne` is null), then the first `MAX_LISTES` of rows. */
  avertissements: Type.Array(Type.Object({ ligne: nullable(Count), ...Raison })),
  nombreAvertissements: Count,
  /** The warnings of rows, grouped by message. */
  raisons: Type.Array(RaisonGroupee),
  perdus: Type.Array(ColonnePerdue),
  /** By number of books, descending. */
  themes: Type.Array(ThemePropose),
  ...DecodageLu.properties,
  colonnes: ColonnesOrNull,
  /** The headers of a table with a mapping; empty for any other file. */
  entetes: Type.Array(Type.String()),
  /** Example values of each column. */
  exemples: Type.Array(Type.Array(Type.String())),
  /** For a table with a mapping; left out for any other file. */
  premiereLigne: Type.Optional(PremiereLigne),
  ordreDesNoms: OrdreDesNoms,
  questions: Questions,
});
export type Importation = Static<typeof Importation>;

export const ImportationLigne = Type.Object({
  ligne: Count,
  sort: RowOutcome,
  titre: nullable(Type.String()),
  auteurs: Type.Array(Type.String()),
  isbn: nullable(Type.String()),
  /** The matched or created book; `null` without one. */
  livreId: nullable(Id),
  raison: nullable(Type.String()),
  /** The row's title, else the cells of a refused row. */
  texte: Type.String(),
  avertissements: Type.Array(Type.String()),
  /** The messages of `raison`, if any, and `avertissements` as data, in this order. */
  motifs: Type.Array(Motif),
});
export type ImportationLigne = Static<typeof ImportationLigne>;

/** `creer` adds a book despite a duplicate, `ignorer` skips a row. */
export const Decision = Type.Object({
  ligne: Count,
  sort: Type.Enum(['creer', 'ignorer'], { type: 'string' }),
});
export type Decision = Static<typeof Decision>;

/** Under which name a column is a detail of the books, `null` where it is none. */
export const DetailChoisi = Type.Object({
  colonne: Type.String(),
  nom: nullable(Type.String({ maxLength: MAX_DETAIL_NOM })),
});
export type DetailChoisi = Static<typeof DetailChoisi>;

const ExecutionSaisie = Type.Object({
  decisions: Type.Optional(nullable(Type.Array(Decision, { maxItems: 10_000 }))),
  /** Titles of proposed series that are not to be created or extended. */
  seriesIgnorees: optionalTexts(MAX_LENGTHS.titre, 10_000),
  /** « prenomNom »: the authors are in reading order already, and stay as they are. */
  ordreNoms: Type.Optional(OrdreNoms),
  /** The proposed words that become themes; by default those with `repris`. */
  themes: Type.Optional(nullable(Type.Array(Type.String(), { maxItems: MAX_THEMES_PROPOSES }))),
  /** Decisions about the columns of `perdus`; proposals are the default. */
  details: Type.Optional(nullable(Type.Array(DetailChoisi, { maxItems: 1000 }))),
  /** Whether new books get the file's entry date instead of the import's. */
  datesEntree: Type.Optional(Type.Boolean()),
  /** Whether « House / Office / Shelf » is a path of locations instead of one name. */
  chemins: Type.Optional(Type.Boolean()),
  /** The reading status for all books without one in the file. */
  statut: Type.Optional(StatutOrNull),
  /** The path of a location for all new books, whatever the file says. */
  emplacement: Type.Optional(
    nullable(
      Type.Array(Type.String({ minLength: 1, maxLength: MAX_LENGTHS.nom }), {
        maxItems: MAX_NIVEAUX,
      }),
    ),
  ),
});

/** A proposed series: `id` is the household's series to extend, `null` for a new one. */
export const SerieProposee = Type.Object({
  titre: Type.String(),
  id: nullable(Id),
  volumes: Count,
});
export type SerieProposee = Static<typeof SerieProposee>;

export const importer = endpoint({
  method: 'POST',
  path: '/api/importations',
  perMinute: 30,
  summary: 'Lit un fichier de livres : un essai, sauf avec essai=false. Le corps est le fichier.',
  bytes: MAX_IMPORT_BYTES,
  streamed: true,
  skipsHistory: true,
  query: Type.Object({
    essai: Type.Optional(Type.Boolean()),
    nom: Type.Optional(Type.String({ maxLength: 300 })),
    /** « statut » by default. */
    aLire: Type.Optional(ALire),
    /** For files whose dates do not reveal the order; « jourMois » by default. */
    ordreDates: Type.Optional(OrdreDates),
    /** For an unknown program's table; detected by default. Remembered with `colonnes`. */
    premiereLigne: Type.Optional(PremiereLigne),
    colonnes: Type.Optional(Type.String({ maxLength: 5000 })),
    /** Overrides the detected encoding; ignored for an archive. */
    encodage: Type.Optional(Type.Enum([...ENCODAGES], { type: 'string' })),
    /** Whether the sixty most used tags, genres and own shelves of the file become themes, or none. */
    themes: Type.Optional(Type.Boolean()),
  }),
  response: Importation,
  also: [201, 413],
});

export const executerImportation = endpoint({
  method: 'POST',
  path: '/api/importations/:id/execution',
  summary: 'Fait pour de bon ce qu’un essai a montré, en une fois, ou refait un import annulé.',
  skipsHistory: true,
  body: ExecutionSaisie,
  response: Importation,
});

export const listerImportations = endpoint({
  method: 'GET',
  path: '/api/importations',
  summary:
    'Les importations de la personne qui appelle, la plus récente d’abord, avec leurs nombres.',
  response: Type.Array(ImportationListee),
});

export const lireImportation = endpoint({
  method: 'GET',
  path: '/api/importations/:id',
  summary:
    'Une importation : son état, ses nombres, ses premiers refus et avertissements ; tous sont dans ses lignes.',
  response: Importation,
});

export const listerImportationLignes = endpoint({
  method: 'GET',
  path: '/api/importations/:id/lignes',
  summary:
    'Les lignes d’une importation, dans l’ordre du fichier, mille à la fois si rien n’est dit ; leur nombre dans X-Total-Count.',
  query: Type.Object({
    /** 1,000 by default. */
    limite: Type.Optional(Type.Integer({ minimum: 1, maximum: 2000 })),
    decalage: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    sort: Type.Optional(RowOutcome),
    /** The order of a dry run’s names; « nomPrenom » by default. */
    ordreNoms: Type.Optional(OrdreNoms),
  }),
  response: Type.Array(ImportationLigne),
});

export const listerSeriesProposees = endpoint({
  method: 'GET',
  path: '/api/importations/:id/series',
  summary: 'Les séries qu’un essai propose de faire ou de compléter, et leurs volumes.',
  response: Type.Array(SerieProposee),
});

export const exporterRefus = endpoint({
  method: 'GET',
  path: '/api/importations/:id/refus.csv',
  summary: 'Les lignes refusées avec leur raison, à corriger et à importer de nouveau.',
  response: Type.String(),
  type: 'text/csv',
});

export const annulerImportation = endpoint({
  method: 'DELETE',
  path: '/api/importations/:id',
  summary:
    'Retire ce qu’une importation a fait, sauf ce qui a changé depuis ; pendant trente jours.',
  skipsHistory: true,
  response: Type.Object({ retires: Count, gardes: Count }),
});
