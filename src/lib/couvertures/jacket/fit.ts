import { familyName } from '#shared/sort';
import { breakable, breakLines, type Breakable } from './lines.ts';

/** A text in lines, and its size in pixels. */
export interface Fitted {
  readonly lines: readonly string[];
  readonly size: number;
}

/** The room of a text, in pixels. */
export interface Room {
  readonly measure: number;
  readonly height: number;
  readonly leading: number;
  readonly largest: number;
  readonly floor: number;
}

const STEP = 0.25;
/** A strict break wins where its size is at least so much of the lenient one. */
const STRICT_SHARE = 0.82;
/** Where nothing fits, the size goes down to so much of the floor. */
const LAST_SHARE = 0.82;
/** The kerning that the table of widths leaves out. */
const SLACK = 0.985;

/**
 * Sets a title to fit: the largest size at which its most even lines have room (docs/rules.md § 52). One that fits
 * nowhere ends before its subtitle, else in an ellipsis.
 */
export function fitTitre(titre: string, room: Room): Fitted {
  const whole = fitWhole(titre, room);
  if (whole !== null) return whole;
  const [proper = titre] = titre.split(/\s+:\s/u);
  return (proper === titre ? null : fitWhole(proper, room)) ?? fitCut(proper, room);
}

function fitWhole(titre: string, room: Room): Fitted | null {
  const text = breakable(titre);
  const linesAt = (size: number) => Math.floor(room.height / (size * room.leading));
  const fit = (isStrict: boolean, floor: number) =>
    fitSize(text, room.measure, { largest: room.largest, floor }, linesAt, isStrict);
  const lenient = fit(false, room.floor * LAST_SHARE);
  if (lenient === null || lenient.size < room.floor) return lenient;
  const strict = fit(true, Math.max(room.floor, lenient.size * STRICT_SHARE));
  return strict !== null && strict.lines.length <= lenient.lines.length + 1 ? strict : lenient;
}

function fitSize(
  text: Breakable,
  measure: number,
  { largest, floor }: Pick<Room, 'largest' | 'floor'>,
  linesAt: (size: number) => number,
  isStrict: boolean,
): Fitted | null {
  for (let size = largest; size >= floor; size -= STEP) {
    const lines = breakLines(text, (measure * SLACK * 100) / size, linesAt(size), isStrict);
    if (lines !== null) return { lines, size };
  }
  return null;
}

/** As much as the room holds at the smallest size, with an ellipsis. */
function fitCut(titre: string, { measure, height, leading, floor }: Room): Fitted {
  const size = floor * LAST_SHARE;
  const room = (measure * SLACK * 100) / size;
  const maxLines = Math.max(1, Math.floor(height / (size * leading)));
  let low = 0;
  let high = titre.length;
  let lines = ['…'];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const tried = breakLines(breakable(`${cut(titre, middle)}…`), room, maxLines, false);
    if (tried === null) high = middle - 1;
    else {
      low = middle;
      lines = tried;
    }
  }
  return { lines, size };
}

/** The beginning of a text, with no word of several cut in two. */
function cut(text: string, length: number): string {
  const beginning = text.slice(0, length);
  const whole = /\s/u.test(text.charAt(length)) ? beginning : beginning.replace(/\s\S*$/u, '');
  return whole.replace(/[\s,;:.-]+$/u, '');
}

/** An author's name shrinks to so much of its size before the surname stands alone. */
const AUTEUR_SHARE = 0.76;

/**
 * Sets the authors in one line or two: one by name, two by their surnames, more by the first of these.
 *
 * @param size in pixels
 */
export function fitAuteurs(noms: readonly string[], measure: number, size: number): Fitted | null {
  const [first] = noms;
  if (first === undefined) return null;
  const text = breakable(auteursText(noms, first));
  const floor = size * AUTEUR_SHARE;
  const surname = familyName(first);
  return (
    fitSize(text, measure, { largest: size, floor: size }, () => 1, false) ??
    fitSize(text, measure, { largest: size, floor }, () => 2, false) ??
    fitSize(breakable(surname), measure, { largest: size, floor }, () => 2, false) ??
    fitCut(surname, { measure, height: size, leading: 1, largest: size, floor: size })
  );
}

function auteursText(noms: readonly string[], first: string): string {
  if (noms.length === 1) return first;
  return noms.length === 2 ? noms.map(familyName).join(', ') : `${familyName(first)} et al.`;
}
