const plurals = new Intl.PluralRules('fr');

/** « 0 livre », « 1 livre », « 2 livres ». */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count.toLocaleString('fr')} ${plurals.select(count) === 'one' ? singular : plural}`;
