import { localDay } from '#shared/days';
import type { ALire, OrdreDates, Questions } from '#shared/importations';
import { shortened } from '#shared/text';
import { pathOf } from './for-all.ts';
import type { ImportRecord } from './record.ts';
import { isOwnershipOpen, type ReadRow } from './rows.ts';
import { readDay, type OpenDates } from './values.ts';

interface Answers {
  readonly aLire: ALire;
  readonly ordreDates: OrdreDates;
  readonly openDates: OpenDates | null;
}

const MAX_EXEMPLE_LENGTH = 80;

/** Collects the questions that a file leaves open while its rows are read (docs/rules.md § 35). */
export class OpenQuestions {
  #aLire = 0;
  #entrees = { lignes: 0, premiere: '', derniere: '' };
  #chemins: NonNullable<Questions['chemins']> | null = null;

  add(record: ImportRecord, { row, refus, isPending, entree }: ReadRow): void {
    if ((refus === null || isPending) && isOwnershipOpen(record)) this.#aLire++;
    if (entree !== undefined) this.#addEntree(entree.date);
    const noms = pathOf(row.emplacement);
    if (noms === null) return;
    const { lignes, ...first } = this.#chemins ?? {
      lignes: 0,
      exemple: shortened(row.emplacement[0] ?? '', MAX_EXEMPLE_LENGTH),
      noms: [...noms],
    };
    this.#chemins = { ...first, lignes: lignes + 1 };
  }

  #addEntree(date: string): void {
    const { lignes, premiere, derniere } = this.#entrees;
    const day = localDay(new Date(date));
    this.#entrees = {
      lignes: lignes + 1,
      premiere: premiere === '' || day < premiere ? day : premiere,
      derniere: day > derniere ? day : derniere,
    };
  }

  questions({ aLire, ordreDates, openDates }: Answers): Questions {
    return {
      ...(this.#aLire > 0 && { aLire: { lignes: this.#aLire, reponse: aLire } }),
      ...(openDates !== null && {
        ordreDates: {
          dates: openDates.count,
          exemple: openDates.exemple,
          jourMois: readDay(openDates.exemple, false) ?? '',
          moisJour: readDay(openDates.exemple, true) ?? '',
          reponse: ordreDates,
        },
      }),
      ...(this.#entrees.lignes > 0 && { datesEntree: this.#entrees }),
      ...(this.#chemins !== null && { chemins: this.#chemins }),
    };
  }
}
