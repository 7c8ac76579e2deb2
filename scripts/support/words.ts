const plurals = new Intl.PluralRules('fr');

/** A number and what it counts, in the form that French gives it: « 0 livre », « 1 livre », « 2 livres ». */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count.toLocaleString('fr')} ${plurals.select(count) === 'one' ? singular : plural}`;

/** The counts of a database's records, as one line in French. */
export const contentText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(CONTENT)
    .map(([table, noun]) => counted(counts[table] ?? 0, noun))
    .join(', ');

const CONTENT = {
  Livre: 'livre',
  Pret: 'prêt',
  Serie: 'série',
  Numero: 'numéro',
  Souhait: 'souhait',
};
