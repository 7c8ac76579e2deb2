/** Where an issue of a scanned periodical comes in: the periodical is found or made there. */
export const adresseAjoutNumero = ({
  issn,
  titre = null,
}: {
  readonly issn: string;
  readonly titre?: string | null;
}): string =>
  `/revues/ajouter?${new URLSearchParams({ issn, ...(titre === null ? {} : { titre }) })}`;
