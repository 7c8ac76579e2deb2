import { nameWithNumero } from '#shared/series-titres';
import { articleInFront, ELIDED_ARTICLE, textKey } from '#shared/text';
import { localDay } from '#shared/days';
import { CompressedList } from '#server/plumbing/common/compressed-list';
import { NomColumn } from '#server/plumbing/upstream/noms';
import type { FileRecord, ImportRecord, RawLectures, SerieRef } from './record.ts';
import { bare } from './values.ts';

// The records of a file. Titles, series, ratings and names are read by what their whole column says, so that every record
// is added before the first is read (docs/rules.md § 35).

/** How the records of a format are read. */
interface Reading {
  /** Texts mean what stands there: our own, and codes. */
  readonly isExact?: boolean | undefined;
  /** What commas in the names of authors part is told by the whole column. */
  readonly readsNoms?: boolean | undefined;
}

export class RecordList {
  readonly #records = new CompressedList<FileRecord>();
  readonly #columns: ColumnProfile | null;
  readonly #noms: NomColumn | null;

  constructor({ isExact = false, readsNoms = false }: Reading = {}) {
    this.#columns = isExact ? null : new ColumnProfile();
    this.#noms = readsNoms ? new NomColumn() : null;
  }

  get length(): number {
    return this.#records.length;
  }

  add(given: FileRecord): void {
    this.#columns?.add(given.record);
    this.#noms?.add(given.record.auteurs);
    this.#records.push(given);
  }

  /** Reads the records, each once: the list is empty behind them. */
  *read(): Generator<FileRecord> {
    for (const { record, ...place } of this.#records.drain()) {
      const read = this.#columns?.read(record) ?? record;
      yield { ...place, record: this.#withNoms(read) };
    }
  }

  /** A record with its authors one by one and in reading order. */
  #withNoms(record: ImportRecord): ImportRecord {
    if (this.#noms === null) return record;
    const { noms, avertissements } = this.#noms.read(record.auteurs);
    return { ...record, auteurs: noms, notes: [...(record.notes ?? []), ...avertissements] };
  }
}

const DEFINITE = new RegExp(`^(?:${ELIDED_ARTICLE}|(?:le|la|les|the)\\s)`, 'iu');

/** Whether the articles of a column stand behind its texts: « Petit Quai (Le) », and none in front. */
class ArticlesBehind {
  #hasBehind = false;
  #hasFront = false;

  add(text: string): void {
    if (articleInFront(text) !== text) this.#hasBehind = true;
    else if (DEFINITE.test(text)) this.#hasFront = true;
  }

  read(text: string): string {
    return this.#hasBehind && !this.#hasFront ? articleInFront(text) : text;
  }
}

/** A rating that is a number alone; 0 for any other. */
function plainNote(lectures: ImportRecord['lectures']): number {
  const text = bare(lectures?.note ?? '').replace(',', '.');
  const note = /^\d{1,2}(?:\.\d+)?$/.test(text) ? Number(text) : 0;
  return note <= 20 ? note : 0;
}

class ColumnProfile {
  readonly #titres = new ArticlesBehind();
  readonly #series = new ArticlesBehind();
  readonly #names = new Set<string>();
  /** Of « Akira n° 3 » and its like: the numbers that stand behind each name. */
  readonly #numeros = new Map<string, Set<string>>();
  /** When each title went back the last time. */
  readonly #rendus = new Map<string, number>();
  #bestNote = 0;

  add({ titre, series = [], lectures, rendu }: ImportRecord): void {
    if (rendu !== undefined) {
      const key = textKey(titre);
      this.#rendus.set(key, Math.max(rendu, this.#rendus.get(key) ?? 0));
    }
    this.#bestNote = Math.max(this.#bestNote, plainNote(lectures));
    this.#titres.add(titre);
    this.#note(titre);
    for (const serie of series) {
      this.#series.add(serie.titre);
      if (serie.numero !== null || !this.#note(serie.titre)) this.#names.add(textKey(serie.titre));
    }
  }

  #note(text: string): boolean {
    const named = nameWithNumero(text);
    if (named === null) return false;
    const key = textKey(named.titre);
    const numeros = this.#numeros.get(key) ?? new Set();
    this.#numeros.set(key, numeros.add(named.numero));
    return true;
  }

  /** A row as its columns are read, once all of them were added. */
  read(read: ImportRecord): ImportRecord {
    const row = this.#asLent(read);
    const series = (row.series ?? []).map((serie) =>
      serie.numero === null ? (this.#volumeIn(serie.titre) ?? serie) : serie,
    );
    const volume = series.length === 0 ? this.#volumeIn(row.titre) : null;
    return {
      ...row,
      ...(row.lectures && { lectures: { ...row.lectures, note: this.#noteOf(row.lectures) } }),
      titre: this.#titres.read(row.titre),
      series: [...series, ...(volume === null ? [] : [volume])].map((serie) => ({
        ...serie,
        titre: this.#series.read(serie.titre),
      })),
    };
  }

  /** A loan that is not over is a borrowed book, which an application shows. */
  #asLent({ enCours, ...row }: ImportRecord): ImportRecord {
    if (enCours === undefined || (this.#rendus.get(textKey(row.titre)) ?? 0) >= enCours.instant)
      return row;
    const { nom, aRendre, instant } = enCours;
    const { notOwned: _, ...ofHouse } = row;
    const lectures = row.lectures && { ...row.lectures, avis: '' };
    const emprunt = { nom, aRendre, depuis: localDay(new Date(instant)) };
    return { ...ofHouse, emprunt, isNumerique: true, ...(lectures && { lectures }) };
  }

  /** Of stars out of five, of ten where one of the column is above five, of twenty above ten. */
  #noteOf(lectures: Readonly<RawLectures>): string {
    if (this.#bestNote <= 5 || plainNote(lectures) === 0) return lectures.note;
    return `${bare(lectures.note)}/${this.#bestNote <= 10 ? '10' : '20'}`;
  }

  /** Where a column has the name alone, too, or with another number. */
  #volumeIn(text: string): SerieRef | null {
    const named = nameWithNumero(text);
    if (named === null) return null;
    const key = textKey(named.titre);
    const isSerie = this.#names.has(key) || (this.#numeros.get(key)?.size ?? 0) > 1;
    return isSerie ? named : null;
  }
}
