/** A cover's address as the page may load it: through the relay, as images come from this origin only. */
export const adresseCouverture = (url: string): string =>
  `/api/couvertures?url=${encodeURIComponent(url)}`;
