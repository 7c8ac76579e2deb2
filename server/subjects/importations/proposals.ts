import { detailKey, storedNom, type KnownDetail } from '#shared/detail-names';
import { MAX_DETAIL_NOM, MAX_DETAILS, type Detail } from '#shared/details';
import { MAX_LENGTHS } from '#shared/fields';
import {
  MAX_THEMES_PROPOSES,
  type ColonnePerdue,
  type DetailChoisi,
  type ThemePropose,
} from '#shared/importations';
import { objectKeys, ownValue } from '#shared/object-keys';
import { champRefusal } from '#shared/refusals';
import {
  firstCharacters,
  isLongerThan,
  normaliser,
  shortened,
  storedLine,
  compareText,
  textKey,
} from '#shared/text';
import { MAX_THEMES } from '#shared/themes';
import {
  messageOf,
  raison,
  type Raison,
  type RaisonMessage,
} from '#server/plumbing/common/raisons';
import type { OpenedFile } from './record.ts';
import type { ReadRow } from './rows.ts';

// Data that no field takes: columns become details, and tags, genres, subjects and custom shelves
// become themes, as the person decides (docs/rules.md § 35).

// cspell:disable -- headers of other programs
/** Normalised headers of details, by the detail's name. */
const HEADERS = {
  'Sous-titre': ['sous titre', 'soustitre', 'subtitle', 'sub title', 'edition subtitle'],
  Langue: [
    'langue',
    'langues',
    'lang',
    'language',
    'languages',
    'edition lang',
    'language s',
    'language code',
  ],
  'Titre original': ['titre original', 'original title', 'title original', 'titre vo'],
  Traduction: [
    'traduction',
    'traducteur',
    'traductrice',
    'traducteurs',
    'traducteur s',
    'traduit par',
    'translator',
    'translators',
    'translated by',
    'translation',
  ],
  Illustration: [
    'illustration',
    'illustrations',
    'illustrateur',
    'illustratrice',
    'illustrateurs',
    'illustrator',
    'illustrators',
    'illustrated by',
  ],
  Préface: ['preface', 'prefacier', 'prefaciere', 'foreword', 'foreword by', 'preface de'],
  Collection: ['collection', 'collections', 'collection editoriale', 'publisher series'],
  Dimensions: ['dimensions', 'dimension', 'taille', 'size', 'height', 'hauteur'],
  Poids: ['poids', 'weight'],
  Prix: [
    'prix',
    'price',
    'list price',
    'price listed',
    'purchase price',
    'price paid',
    'value',
    'prix achat',
    'prix d achat',
    'prixachat',
    'cover price',
    'valeur',
    'cost',
    'cout',
    'current value',
    'estimated value',
    'replacementprice',
    'prix paye',
  ],
  Achat: [
    'achat',
    'date achat',
    'date d achat',
    'achete le',
    'lieu achat',
    'lieu d achat',
    'purchase date',
    'purchased',
    'purchase place',
    'purchase store',
    'date acquired',
    'acquired',
    'acquisition',
    'date acquisition',
    'date d acquisition',
    'store',
  ],
  État: ['etat', 'condition', 'book condition', 'etat du livre', 'state'],
  Dédicace: ['dedicace', 'dedicaces', 'dedication', 'inscription', 'signed'],
  Reliure: ['reliure', 'binding', 'cover type', 'format', 'book format', 'item binding'],
  Cote: ['cote', 'itemcallnumber', 'item call number', 'call number', 'callnumber', 'shelfmark'],
  Résumé: [
    'resume',
    'summary',
    'description',
    'comments',
    'synopsis',
    'abstract',
    'plot',
    'blurb',
    'quatrieme de couverture',
    '4e de couverture',
    'overview',
    'edition description',
  ],
  Note: [
    'note',
    'notes',
    'comment',
    'commentaire',
    'commentaires',
    'remarque',
    'remarques',
    'remarks',
    'observations',
    'memo',
    'item notes',
    'item details',
  ],
} as const satisfies Record<KnownDetail, readonly string[]>;

/** Headers of a program's own numbers. */
const INTERNAL_ID =
  /^(?:id|uuid|guid|.+ u?uid|.+ id|id .+|ids? externes?|biblionumber|biblioitemnumber|itemnumber)$/;

/** Headers of who entered or changed a record, and when. */
const ENTRY =
  /^(?:(?:date )?(?:added|created|modified|updated|inserted|catalogued|cataloged|timestamp)(?: on| at| date)?|(?:last|entry|creation|insert|modification|update) (?:date|modified|updated|update|change)|date (?:d )?(?:ajout|entree|creation|saisie|modification|mise a jour)\b.*|(?:ajoute|cree|saisi|modifie) (?:le|par)|(?:added|created|entered) by|date de (?:creation|saisie|modification|mise a jour)|timestamp)$/;
// cspell:enable

const ADDRESS = /^(?:[a-z][a-z\d+.-]*:\/\/|www\.)\S+$/i;
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const isOfMachine = (valeur: string): boolean =>
  ADDRESS.test(valeur) || INSTANT.test(valeur) || UUID.test(valeur);

/** « Détail : Prix » and “Detail: Prix” of our own table. */
const OWN_HEADER = /^d[ée]tail\s*:\s*(\S.*)$/iu;

/** The details in our own bibliographies, so that they are restored. */
const OWN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  ris: ['Langue', 'Traduction', 'Résumé', 'Note', 'Collection'],
  bibtex: ['Langue', 'Traduction', 'Résumé', 'Note', 'Collection'],
};

/** The proposed detail name of an unknown column. */
function headerNom(header: string): string {
  const [, own] = OWN_HEADER.exec(header.trim()) ?? [];
  const line = storedLine(own ?? header.replaceAll('_', ' '));
  const nom = firstCharacters(line, MAX_DETAIL_NOM).trim();
  return own === undefined ? nom.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : nom;
}

const KNOWN_NOMS: ReadonlyMap<string, string> = new Map(
  objectKeys(HEADERS).flatMap((nom) =>
    HEADERS[nom].map((header): readonly [string, string] => [header, nom]),
  ),
);

interface LostColumn {
  lignes: number;
  own: number;
  readonly exemples: Set<string>;
}

/** Collects the columns that no field takes. */
export class LostColumns {
  readonly #columns = new Map<string, LostColumn>();
  readonly #entrees = new Map<string, number>();
  #count = 0;

  add({ details = [], entree }: ReadRow): void {
    this.#count++;
    if (entree !== undefined)
      this.#entrees.set(entree.colonne, (this.#entrees.get(entree.colonne) ?? 0) + 1);
    for (const { colonne, valeur } of details) {
      const column = this.#columns.get(colonne) ?? { lignes: 0, own: 0, exemples: new Set() };
      this.#columns.set(colonne, column);
      column.lignes++;
      if (!isOfMachine(valeur)) column.own++;
      if (column.exemples.size < MAX_EXEMPLES) column.exemples.add(shortened(valeur, 60));
    }
  }

  /** Each column with its detail name, and whether it becomes a detail by default. */
  propose(
    { perdus, format }: Pick<OpenedFile, 'perdus' | 'format'>,
    household: ReadonlyMap<string, string>,
  ): ColonnePerdue[] {
    const noms = new Set<string>();
    const nomOf = (colonne: string): string => {
      const known = KNOWN_NOMS.get(normaliser(colonne));
      const nom = known === undefined || noms.has(detailKey(known)) ? headerNom(colonne) : known;
      noms.add(detailKey(nom));
      return household.get(detailKey(nom)) ?? storedNom(nom);
    };
    const lostColumns = new Set(perdus.map(({ colonne }) => colonne));
    const others = [...this.#columns].filter(([colonne]) => !lostColumns.has(colonne));
    return [
      ...perdus,
      ...others.map(([colonne, { lignes }]): ColonnePerdue => ({ colonne, lignes })),
    ].map((perdu) => {
      const column = this.#columns.get(perdu.colonne);
      const detail = nomOf(perdu.colonne);
      if (column === undefined || detail === '') return perdu;
      const header = normaliser(perdu.colonne);
      const isOwn =
        OWN_HEADER.test(perdu.colonne) ||
        ownValue(OWN_FIELDS, format)?.includes(perdu.colonne) === true;
      const isTold = !INTERNAL_ID.test(header) && !ENTRY.test(header);
      const garder = isOwn || (isTold && column.own * 10 > this.#count);
      const days = this.#entrees.get(perdu.colonne);
      return {
        ...perdu,
        ...(days !== undefined && { entrees: days }),
        exemples: [...column.exemples],
        proposition: { detail, garder },
      };
    });
  }
}

const MAX_EXEMPLES = 3;

/** Applies the person's decisions to the columns; proposals are the default. Throws `REQUETE_INVALIDE`. */
export function chooseDetails(
  perdus: readonly ColonnePerdue[],
  chosen: readonly DetailChoisi[] | null | undefined,
  readHousehold: () => ReadonlyMap<string, string>,
): readonly ColonnePerdue[] {
  if (!chosen || chosen.length === 0) return perdus;
  const household = readHousehold();
  const columns = new Map(perdus.map((perdu) => [perdu.colonne, perdu]));
  const decided = new Map<string, string | null>();
  for (const [index, { colonne, nom }] of chosen.entries()) {
    if (columns.get(colonne)?.proposition === undefined)
      throw champRefusal(`details.${index}.colonne`, 'PAS_COLONNE');
    const line = nom === null ? null : storedLine(nom);
    if (line === '') throw champRefusal(`details.${index}.nom`, 'VIDE');
    decided.set(colonne, line && (household.get(detailKey(line)) ?? storedNom(line)));
  }
  return perdus.map((perdu) => {
    const nom = decided.get(perdu.colonne);
    if (nom === undefined || perdu.proposition === undefined) return perdu;
    const detail = nom ?? perdu.proposition.detail;
    return { ...perdu, proposition: { detail, garder: nom !== null } };
  });
}

/** The columns that become details, with their names. */
export const keptDetails = (perdus: readonly ColonnePerdue[]): ReadonlyMap<string, string> =>
  new Map(
    perdus.flatMap(({ colonne, proposition }) =>
      proposition?.garder === true ? [[colonne, proposition.detail]] : [],
    ),
  );

/** The columns of a row that become details, possibly more than a book may have. */
export function chosenDetails(
  read: ReadRow,
  kept: ReadonlyMap<string, string>,
  say: (warning: Raison) => void,
): Detail[] {
  const byKey = new Map<string, Detail>();
  for (const { colonne, valeur } of read.details ?? []) {
    const nom = kept.get(colonne);
    if (nom === undefined) continue;
    const key = detailKey(nom);
    const before = byKey.get(key);
    if (before === undefined) byKey.set(key, { nom, valeur });
    else if (!`\n${before.valeur}\n`.includes(`\n${valeur}\n`)) {
      const both = `${before.valeur}\n${valeur}`;
      if (isLongerThan(both, MAX_LENGTHS.freeText))
        say(raison('detailCoupe', { nom: nomOfDetail(nom) }));
      byKey.set(key, { nom: before.nom, valeur: firstCharacters(both, MAX_LENGTHS.freeText) });
    }
  }
  return [...byKey.values()];
}

export const tooManyDetails = (left: readonly Detail[]): Raison =>
  raison('detailsDeTrop', { maximum: MAX_DETAILS, noms: left.map(({ nom }) => nomOfDetail(nom)) });

const nomOfDetail = (nom: string): RaisonMessage => messageOf(raison('nomDeDetail', { nom }));

// Themes

/** Limit if the person takes all columns of a file. */
const MAX_TAKEN = 60;

/** Further distinct words of a file are not counted. */
const MAX_KNOWN = 4 * MAX_THEMES_PROPOSES;

/** The words that the books of a file have. */
export class FileWords {
  readonly #words = new Map<string, { nom: string; livres: number; colonnes: Set<string> }>();

  add({ row, refus, isPending, themes = [] }: ReadRow): void {
    if (row.isSouhait || (refus !== null && !isPending)) return;
    const ofRow = new Set<string>();
    for (const { colonne, noms } of themes)
      for (const nom of noms) {
        const key = textKey(nom);
        const known = this.#words.get(key);
        if (known === undefined && this.#words.size >= MAX_KNOWN) continue;
        const word = known ?? { nom, livres: 0, colonnes: new Set() };
        this.#words.set(key, word);
        word.colonnes.add(colonne);
        if (!ofRow.has(key)) word.livres++;
        ofRow.add(key);
      }
  }

  /**
   * Proposes the words of the most books first, each in its first spelling.
   *
   * @param areTaken whether the most frequent ones become themes by default
   */
  propose(areTaken: boolean): ThemePropose[] {
    return [...this.#words]
      .sort(([key, a], [other, b]) => b.livres - a.livres || compareText(key, other))
      .slice(0, MAX_THEMES_PROPOSES)
      .map(([, { colonnes, ...word }], index) => ({
        ...word,
        colonnes: [...colonnes],
        repris: areTaken && index < MAX_TAKEN,
      }));
  }
}

/** Applies the person's decisions to the proposed words, in any spelling; unchanged without any. */
export function chooseThemes(
  proposed: readonly ThemePropose[],
  chosen: readonly string[] | null | undefined,
): readonly ThemePropose[] {
  if (!chosen) return proposed;
  const keys = new Set(chosen.map(textKey));
  return proposed.map((theme) => ({ ...theme, repris: keys.has(textKey(theme.nom)) }));
}

/** The words of a row that become themes, possibly more than a book may have. */
export function chosenThemes({ themes = [] }: ReadRow, keys: ReadonlySet<string>): string[] {
  const taken = new Map<string, string>();
  for (const nom of themes.flatMap(({ noms }) => noms)) {
    const key = textKey(nom);
    if (keys.has(key) && !taken.has(key)) taken.set(key, nom);
  }
  return [...taken.values()];
}

export const tooManyThemes = (left: readonly string[]): Raison =>
  raison('themesDeTrop', { maximum: MAX_THEMES, noms: left });

/** The columns of words that become no themes, each with the number of its rows. */
export class LostThemes {
  readonly #lost = new Map<string, number>();
  readonly #taken: ReadonlySet<string>;

  constructor(taken: ReadonlySet<string>) {
    this.#taken = taken;
  }

  add({ themes = [] }: ReadRow): void {
    for (const { colonne, noms } of themes)
      if (noms.some((nom) => !this.#taken.has(textKey(nom))))
        this.#lost.set(colonne, (this.#lost.get(colonne) ?? 0) + 1);
  }

  get columns(): ColonnePerdue[] {
    return [...this.#lost].map(([colonne, lignes]) => ({ colonne, lignes }));
  }
}
