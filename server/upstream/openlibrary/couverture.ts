/**
 * Where the cover of an ISBN is, if there is one: `default=false` makes a missing one a 404
 * instead of a placeholder (specification « ISBN lookup » 5).
 *
 * @param base the site of the covers, as its setting says
 */
export const couvertureDe = (base: string, isbn13: string): string =>
  `${base.replace(/\/$/u, '')}/b/isbn/${isbn13}-L.jpg?default=false`;
