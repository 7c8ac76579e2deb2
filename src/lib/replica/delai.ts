/** The promise's outcome, or an error when it has none after so many milliseconds. */
export function avant<T>(delai: number, promesse: Promise<T>): Promise<T> {
  return new Promise((fini, echec) => {
    const minuterie = setTimeout(() => echec(new Error(`nothing after ${delai} ms`)), delai);
    promesse.then(fini, echec).finally(() => clearTimeout(minuterie));
  });
}
