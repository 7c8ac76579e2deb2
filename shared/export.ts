import { Type, type Static, type TObject } from 'typebox';
import { AuteurRef } from './auteurs.ts';
import { couvertureOrNull } from './couvertures.ts';
import { endpoint } from './endpoint.ts';
import { Emplacement } from './emplacements.ts';
import { Id, Instant, MAX_LENGTHS, nullable, Position, text } from './fields.ts';
import { Lecture } from './lectures.ts';
import { LIVRE_TEXTS, LivreDocument, textsInFile } from './livres.ts';
import { Numero } from './numeros.ts';
import { mapObject, objectKeys } from './object-keys.ts';
import { Pret } from './prets.ts';
import { Revue } from './revues.ts';
import { Objectif } from './objectifs.ts';
import { Selection } from './selections.ts';
import { MAX_PLACES, Place, Serie } from './series.ts';
import { RevueSouhaitee } from './souhaits-revues.ts';
import { Souhait } from './souhaits.ts';
import { StatutOrNull } from './statuts.ts';

/** The version of the export's shapes; a reader refuses a higher one. */
export const EXPORT_VERSION = 1;
/** The first file of an export, by which it is recognised. */
export const EXPORT_HEAD = 'rayonnage.json';
/** Beyond any household: an archive with a higher id is refused, as a backup is. */
export const MAX_EXPORT_ID = 1e12;
/** An imported record keeps its id up to this one, and gets a new one above; far below the limit of a CHECK. */
export const MAX_KEPT_ID = 1e10;
/** The folder of its pictures, each named by the SHA-256 of its bytes. */
export const EXPORT_COVERS = 'couvertures/';

/** The stored cover, whose picture is the export's file `couvertures/<cle>`. */
const couverture = Type.Optional(couvertureOrNull);

/** Always present in an export; if missing, the import sets its own date. */
const dateAjout = nullable(Instant);

const { titreNormalise: _t, isbnAffiche: _i, ...livre } = LivreDocument.properties;
const { livreId: _l, ...pret } = Pret.properties;
const { isbnAffiche: _s, ...souhait } = Souhait.properties;

/** A book with all its loans and the exporting reader's status. */
export const ExportLivre = Type.Object({
  ...livre,
  couverture,
  dateAjout,
  statut: StatutOrNull,
  prets: Type.Array(Type.Object(pret)),
});
export type ExportLivre = Static<typeof ExportLivre>;

/**
 * `formePleine` is the full form of a name shown with initials; `nomChoisi` is true for a chosen name;
 * `formesReunies` are the names of manually merged authors.
 */
export const ExportAuteur = Type.Object({
  ...AuteurRef.properties,
  formePleine: nullable(Type.String({ maxLength: MAX_LENGTHS.nom })),
  nomChoisi: Type.Optional(Type.Boolean()),
  formesReunies: Type.Optional(Type.Array(text(MAX_LENGTHS.nom), { maxItems: 1000 })),
});
export type ExportAuteur = Static<typeof ExportAuteur>;

/** « These are two people. » */
export const ExportRefus = Type.Object({ premierId: Id, secondId: Id });
export type ExportRefus = Static<typeof ExportRefus>;

export const ExportSerie = Type.Object({
  id: Id,
  titre: Serie.properties.titre,
  parentId: Serie.properties.parentId,
  nombreTomes: Serie.properties.nombreTomes,
  /** In the reading order of its parent, shared with the places there. */
  position: Position,
  places: Type.Array(Type.Object({ ...Place.properties, position: Position }), {
    maxItems: MAX_PLACES,
  }),
});
export type ExportSerie = Static<typeof ExportSerie>;

/** `placeId` is the missing volume that it was wished from. */
export const ExportSouhait = Type.Object({
  ...souhait,
  couverture,
  dateAjout,
  placeId: nullable(Id),
});
export type ExportSouhait = Static<typeof ExportSouhait>;

export const ExportRevueSouhaitee = Type.Object({ ...RevueSouhaitee.properties, dateAjout });
export type ExportRevueSouhaitee = Static<typeof ExportRevueSouhaitee>;

export const ExportNumero = Type.Object({ ...Numero.properties, couverture });
export type ExportNumero = Static<typeof ExportNumero>;

/** The kinds of an export, each a file, in the order in which they are read back. */
export const exportKinds = {
  auteurs: ExportAuteur,
  refus: ExportRefus,
  emplacements: Emplacement,
  livres: ExportLivre,
  series: ExportSerie,
  revues: Revue,
  numeros: ExportNumero,
  souhaits: ExportSouhait,
  'souhaits-revues': ExportRevueSouhaitee,
  lectures: Lecture,
  selections: Selection,
  objectifs: Objectif,
} as const satisfies Record<string, TObject>;
export type ExportKind = keyof typeof exportKinds;
export type ExportRecord<K extends ExportKind> = Static<(typeof exportKinds)[K]>;

export const exportKindNames = objectKeys(exportKinds);

export const ExportHead = Type.Object({
  application: Type.Literal('rayonnage'),
  kind: Type.Literal('export'),
  version: Type.Integer({ minimum: 1 }),
  date: Type.String(),
  utilisateur: nullable(Type.String()),
  /** The exported household; omitted by earlier versions. */
  bibliotheque: Type.Optional(Type.String({ maxLength: 100 })),
  /** Whether a device has made it from its replica. */
  deCopie: Type.Optional(Type.Boolean()),
  counts: Type.Unsafe<Readonly<Record<string, number>>>({
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 0 },
  }),
});
export type ExportHead = Static<typeof ExportHead>;

export const exporterTout = endpoint({
  method: 'GET',
  path: '/api/export.zip',
  summary: 'Tout ce qui est partagé, et ce qui est à la personne qui appelle, en une archive.',
  response: Type.String(),
  type: 'application/zip',
  also: [429],
});

export const exporterLivresCsv = endpoint({
  method: 'GET',
  path: '/api/export/livres.csv',
  summary: 'Tous les livres en CSV, pour un tableur.',
  response: Type.String(),
  type: 'text/csv',
  also: [429],
});

export const exporterGoodreads = endpoint({
  method: 'GET',
  path: '/api/export/goodreads.csv',
  summary: 'Tous les livres en CSV, dans les colonnes de Goodreads.',
  response: Type.String(),
  type: 'text/csv',
  also: [429],
});

export const exporterBibtex = endpoint({
  method: 'GET',
  path: '/api/export/livres.bib',
  summary: 'Tous les livres en BibTeX.',
  response: Type.String(),
  type: 'application/x-bibtex',
  also: [429],
});

export const exporterRis = endpoint({
  method: 'GET',
  path: '/api/export/livres.ris',
  summary: 'Tous les livres en RIS.',
  response: Type.String(),
  type: 'application/x-research-info-systems',
  also: [429],
});

/**
 * The fields of an export that a table cannot restore; « souhaits » stands for a whole kind. Shown in the manual,
 * verified by a test (`test/export/every-field.test.ts`).
 */
export const PERTES = {
  ajout: ['livres.ajoutePar', 'livres.dateAjout'],
  couvertures: ['livres.couverture'],
  emprunts: ['livres.emprunteA'],
  pretsRendus: ['livres.prets rendus'],
  rangs: [
    'livres.rang',
    'emplacements.nom',
    'emplacements.parentId',
    'emplacements.note',
    'emplacements.fermeLe',
    'emplacements.rang',
  ],
  series: [
    'series.titre',
    'series.parentId',
    'series.nombreTomes',
    'series.position',
    'series.places',
  ],
  ailleurs: ['lectures ailleurs'],
  souhaits: ['souhaits', 'souhaits-revues'],
  revues: ['revues', 'numeros'],
  selections: ['selections'],
  objectifs: ['objectifs'],
  auteurs: ['auteurs', 'refus'],
  type: ['livres.typeDocument'],
  coverUrl: ['livres.coverUrl'],
  emplacement: ['livres.emplacementId'],
  prets: ['livres.prets'],
  debuts: ['lectures.debut'],
  demiEtoiles: ['lectures.note'],
  pages: ['lectures.page', 'lectures.pourcent', 'lectures.pageJour'],
  titres: ['livres.titre'],
  etats: ['livres.themes'],
  details: ['livres.details'],
  autresDetails: ['livres.details'],
  lectures: ['livres.statut', 'lectures'],
  relectures: ['lectures'],
  noms: ['livres.auteurs'],
  ...mapObject(LIVRE_TEXTS, (name) => [`livres.${name}`]),
} as const;
export type Perte = keyof typeof PERTES;

const PERTES_DE_TABLES: readonly Perte[] = [
  'ajout',
  'couvertures',
  'pretsRendus',
  'rangs',
  'series',
  'ailleurs',
  'souhaits',
  'revues',
  'selections',
  'objectifs',
  'auteurs',
];

const PERTES_DE_BIBLIOGRAPHIES: readonly Perte[] = [
  'type',
  'coverUrl',
  'emplacement',
  'prets',
  'emprunts',
  'titres',
  'etats',
  'lectures',
  'autresDetails',
];

const textsLeftOut = (file: Parameters<typeof textsInFile>[0]): readonly Perte[] => {
  const written = new Set(textsInFile(file).map(([text]) => text));
  return objectKeys(LIVRE_TEXTS).filter((text) => !written.has(text));
};

export const PERTES_PAR_FICHIER: Readonly<
  Record<'livres.csv' | 'goodreads.csv' | 'livres.bib' | 'livres.ris', readonly Perte[]>
> = {
  'livres.csv': PERTES_DE_TABLES,
  'goodreads.csv': [
    ...PERTES_DE_TABLES,
    'type',
    'coverUrl',
    'emplacement',
    'prets',
    'emprunts',
    'debuts',
    'demiEtoiles',
    'pages',
    'titres',
    'etats',
    'details',
    'relectures',
    ...textsLeftOut('goodreads.csv'),
  ],
  'livres.bib': [...PERTES_DE_TABLES, ...PERTES_DE_BIBLIOGRAPHIES, ...textsLeftOut('livres.bib')],
  'livres.ris': [
    ...PERTES_DE_TABLES,
    ...PERTES_DE_BIBLIOGRAPHIES,
    'noms',
    ...textsLeftOut('livres.ris'),
  ],
};
