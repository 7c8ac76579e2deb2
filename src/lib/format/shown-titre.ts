/**
 * A title as it is shown: « : » and the inside of « … » behind a no-break space, « ; », « ! » and « ? » behind a narrow
 * one, so that none of them begins a line. What has no space keeps none: a title is not corrected.
 */
export const shownTitre = (titre: string): string =>
  MARKS.test(titre)
    ? titre.replace(/ (?=[:»])|(?<=«) /gu, '\u00a0').replace(/[ \u00a0](?=[;!?])/gu, '\u202f')
    : titre;

/** Most titles have none. */
const MARKS = /[:;!?«»]/u;
