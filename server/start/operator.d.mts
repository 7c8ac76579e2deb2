export function operatorLocale<Known extends string>(
  env: Readonly<Partial<Record<string, string>>>,
  known: readonly Known[],
): Known;
