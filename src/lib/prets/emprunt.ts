import { now } from '$lib/format/dates';
import { m } from '$lib/paraglide/messages';
import type { Emprunt } from '#shared/livres';
import { untilDay } from './since.ts';

/** « emprunté à Lise, à rendre le 3 mars ». */
export const empruntLine = ({ nom, aRendre }: Emprunt): string => {
  const from = m.emprunte_a({ nom });
  return aRendre === null ? from : `${from}, ${untilDay(aRendre, now())}`;
};
