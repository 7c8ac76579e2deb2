import { LIVRE_TEXTS, textsInFile, type LivreText } from '#shared/livres';
import { BASE_LOCALE } from '#shared/locale';
import { mapObject } from '#shared/object-keys';
import type { Refusal } from '#shared/refusals';
import { firstCharacters, isLongerThan, normaliser } from '#shared/text';
import { invalid, raison, type Raison } from '#server/plumbing/common/raisons';
import { MAX_CELL_LENGTHS } from '../columns.ts';
import { addDates, isOwnState, NO_STATE, recordOf, type FieldTexts } from '../fields.ts';
import {
  NO_LECTURES,
  RECORD_HEADERS,
  recordCells,
  MAX_ROWS,
  tooMany,
  RecordList,
  type ColumnText,
  type FileContent,
  type ImportRecord,
  type PictureRef,
} from '../record.ts';
import { DateOrder, isEbook } from '../values.ts';
import { MAX_COLUMNS, type Field } from './table-format.ts';

// Lists other than tables: each reader builds its records value by value (docs/rules.md § 35).

/** Limit for the values of one record; library records have hundreds. */
export const MAX_VALUES = 1_000_000;

export const tooFull = (): Refusal => invalid(raison('ficheTropPleine'));

/** The fields of a list's record, each with the detail name for a second value. */
const FIELDS = {
  ...mapObject(LIVRE_TEXTS, (_, { label }) => label({}, { locale: BASE_LOCALE })),
  titre: 'Titre',
  auteurs: 'Auteurs',
  isbn: 'ISBN',
  annee: 'Année',
  nombrePages: 'Pages',
  format: 'Format',
  statut: 'Statut',
  serie: 'Série',
  numero: 'Numéro',
  emplacement: 'Emplacement',
  emprunteur: 'Prêté à',
  datePret: 'Date de prêt',
  dateRetourPrevue: 'À rendre le',
  souhait: 'Souhait',
  themes: 'Thèmes',
  // Fields of the reading
  note: 'Étoiles',
  debut: 'Début de lecture',
  dates: 'Lectures',
  avis: 'Mon mot',
} as const satisfies Partial<Record<Field | keyof typeof NO_LECTURES, string>>;

export type ListField = keyof typeof FIELDS;

const SEVERAL: ReadonlySet<ListField> = new Set(['auteurs', 'isbn', 'themes', 'serie', 'numero']);
const LECTURES = ['note', 'debut', 'dates', 'avis'] as const satisfies readonly ListField[];

/** Details with multiline values. */
const OF_LINES: ReadonlySet<string> = new Set(['Note', 'Résumé']);

type Value = string | number | readonly (string | undefined)[] | null | undefined;

/** A program's names for our fields, and for details with a household word. */
export interface Naming {
  readonly fields: ReadonlyMap<string, ListField>;
  readonly details: ReadonlyMap<string, string>;
}

/** @param names of the program → a field, or a detail by its household word */
export function namingOf(
  names: Readonly<Record<string, ListField | { readonly detail: string }>>,
): Naming {
  const fields = new Map<string, ListField>();
  const details = new Map<string, string>();
  for (const [name, is] of Object.entries(names))
    if (typeof is === 'string') fields.set(name, is);
    else details.set(name, is.detail);
  return { fields, details };
}

/** Names of a bibliography that we write, each with its text of a book. */
export const textsByName = (
  file: Parameters<typeof textsInFile>[0],
): Readonly<Record<string, LivreText>> =>
  Object.fromEntries(textsInFile(file).map(([text, name]) => [name, text]));

const isField = (name: string): name is ListField => Object.hasOwn(FIELDS, name);

/** Builds one record of a list, value by value in the file's order; a name of the file is used for details only. */
export class RecordBuilder {
  readonly #fields = new Map<ListField, string[]>();
  readonly #details = new Map<string, string>();
  /** Details that were truncated already. */
  readonly #fullDetails = new Set<string>();
  readonly #notes = new Set<Raison>();
  #count = 0;
  #refusal: Raison | undefined;
  #notOwned: Raison | undefined;
  #cover: PictureRef | undefined;
  #isComic = false;

  /** Adds a value to a field; if that is taken, adds it as a detail under the file's name. */
  add(field: ListField, value: Value, name: string = FIELDS[field]): this {
    const limit = field === 'avis' ? MAX_CELL_LENGTHS.text : MAX_CELL_LENGTHS.name;
    const texts = this.#textsOf(value, name, field === 'themes' ? MAX_CELL_LENGTHS.text : limit);
    const stored = this.#fields.get(field) ?? [];
    if (SEVERAL.has(field)) {
      for (const text of texts)
        stored.push(text.replace(/\s+/g, (run) => (run.includes('\n') ? ' ' : run)));
      if (stored.length > 0) this.#fields.set(field, stored);
      return this;
    }
    const [first, ...others] = [...stored, ...texts];
    if (first !== undefined) this.#fields.set(field, [first]);
    return this.detail(
      name,
      others.filter((text) => text !== first),
    );
  }

  /** @param name of the file, or a household word */
  detail(name: string, value: Value): this {
    if (this.#fullDetails.has(name)) return this;
    const stored = this.#details.get(name);
    const texts = this.#textsOf(value, name, MAX_CELL_LENGTHS.text);
    if (texts.length === 0) return this;
    const all = stored === undefined ? texts : [stored, ...texts];
    const whole = all.join(OF_LINES.has(name) ? '\n\n' : ', ');
    const text = this.#firstOf(whole, name, MAX_CELL_LENGTHS.text);
    if (text !== whole) this.#fullDetails.add(name);
    this.#details.set(name, text);
    return this;
  }

  /**
   * Adds a value under the program's name for it: to a field, or as a detail.
   *
   * @param label of a detail without a household word
   */
  named({ fields, details }: Naming, name: string, value: Value, label = name): this {
    const field = fields.get(name);
    return field === undefined
      ? this.detail(details.get(name) ?? label, value)
      : this.add(field, value);
  }

  /** The binding, or a word for an ebook. */
  binding(text: string): this {
    return isEbook(text) ? this.add('format', text) : this.detail('Reliure', text);
  }

  has(field: ListField): boolean {
    return this.#fields.has(field);
  }

  get(field: ListField): string {
    return this.#fields.get(field)?.[0] ?? '';
  }

  refuse(why: Raison): this {
    this.#refusal ??= why;
    return this;
  }

  say(warning: Raison): this {
    this.#notes.add(warning);
    return this;
  }

  leave(why: Raison): this {
    this.#notOwned ??= why;
    return this;
  }

  /** @param cover `undefined` if the file has none */
  addCover(cover: PictureRef | undefined): this {
    this.#cover = cover;
    return this;
  }

  makeComic(): this {
    this.#isComic = true;
    return this;
  }

  #textsOf(value: Value, name: string, limit: number): string[] {
    const texts = (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => {
      if (++this.#count > MAX_VALUES) throw tooFull();
      const whole = typeof one === 'number' || typeof one === 'string' ? String(one) : '';
      const text = this.#firstOf(whole, name, limit).trim();
      return text === '' ? [] : [text];
    });
    return [...new Set(texts)];
  }

  /** The text up to a limit, with a warning if it is longer. */
  #firstOf(text: string, name: string, limit: number): string {
    if (!isLongerThan(text, limit)) return text;
    this.#notes.add(
      raison('texteCoupe', { colonne: firstCharacters(name, MAX_NAME_LENGTH), count: limit }),
    );
    return firstCharacters(text, limit);
  }

  get texts(): FieldTexts {
    const [note = '', debut = '', dates = '', avis = ''] = LECTURES.map((field) => this.get(field));
    const themes = (this.#fields.get('themes') ?? []).filter(
      (word) => isOwnState(word) && !NO_STATE.has(normaliser(word)),
    );
    return {
      values: (field) => (isField(field) ? (this.#fields.get(field) ?? []) : []),
      lectures: LECTURES.some((field) => this.has(field))
        ? { ...NO_LECTURES, note, debut, dates, avis }
        : null,
      themes: themes.length === 0 ? [] : [{ colonne: FIELDS.themes, noms: themes }],
      saysRead: [],
      copies: [],
      details: (series) => this.#detailsOf(series),
    };
  }

  #detailsOf(series: number): ColumnText[] {
    const numeros = (this.#fields.get('numero') ?? []).slice(series);
    return [
      ...this.#details,
      ...(numeros.length > 0 ? [[FIELDS.numero, numeros.join(', ')] as const] : []),
    ].map(([colonne, valeur]) => ({ colonne, valeur }));
  }

  build(): ImportRecord {
    const record = recordOf(this.texts, { tellsStatut: true });
    const notes = [...this.#notes, ...(record.notes ?? [])];
    return {
      ...record,
      ...(this.#refusal && { refusal: this.#refusal }),
      ...(this.#notOwned && { notOwned: this.#notOwned }),
      ...(this.#cover && { cover: this.#cover }),
      ...(this.#isComic && { typeDocument: 'BandeDessinee' as const }),
      notes: [...new Set(notes)],
    };
  }
}

const MAX_NAME_LENGTH = 100;

/** The result of a list's reader. */
export interface ReadList extends Pick<FileContent, 'format' | 'programme'> {
  readonly records: Iterable<RecordBuilder>;
  /** Warnings about the whole file. */
  readonly avertissements?: readonly Raison[];
}

/** A warning about covers that a list names and its file lacks. */
export const coversLeft = (count: number): Raison[] =>
  count === 0 ? [] : [raison('couverturesNonReprises', { count })];

/** Throws `FICHIER_INVALIDE` for a list of too many records, or of too many names. */
export function contentOfList({
  format,
  programme,
  records: built,
  avertissements = [],
}: ReadList): FileContent {
  const records = new RecordList();
  const dates = new DateOrder();
  const lost = new Map<string, number>();
  for (const builder of built) {
    if (records.length >= MAX_ROWS) throw tooMany();
    const record = builder.build();
    addDates(dates, builder.texts, record.details);
    for (const { colonne } of record.details ?? []) lost.set(colonne, (lost.get(colonne) ?? 0) + 1);
    if (lost.size > MAX_COLUMNS) throw invalid(raison('colonnesDeTrop'));
    records.add({ ligne: records.length + 1, record, cells: recordCells(record) });
  }
  return {
    format,
    programme,
    avertissements,
    colonnes: null,
    headers: RECORD_HEADERS,
    records: records.read(),
    monthFirst: dates.monthFirst,
    openDates: dates.open,
    perdus: [...lost].map(([colonne, lignes]) => ({ colonne, lignes })),
  };
}
