const longName = new Intl.DateTimeFormat('fr', { month: 'long', timeZone: 'UTC' });

/** The months in words and by their first letter, January first. */
export const MONTHS: readonly { readonly name: string; readonly initial: string }[] = Array.from(
  { length: 12 },
  (_, month) => {
    const name = longName.format(new Date(Date.UTC(2000, month)));
    return { name, initial: name.charAt(0).toLocaleUpperCase('fr') };
  },
);
