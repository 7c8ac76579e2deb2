/** An all-day event that does not mark anyone as busy. */
export interface DayEvent {
  readonly uid: string;
  /** Grows with each change of the event, so that calendars replace their copy. */
  readonly sequence: number;
  /** A local day, as 2026-03-12. */
  readonly day: string;
  readonly summary: string;
}

/** The most octets of a line (RFC 5545 § 3.1). */
const MAX_LINE_BYTES = 75;

/** A calendar as RFC 5545 writes it. */
export function calendarText(name: string, prodId: string, events: readonly DayEvent[]): string {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-${prodId}`,
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    ...events.flatMap(({ uid, sequence, day, summary }) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `SEQUENCE:${String(sequence)}`,
      `DTSTAMP:${stamp}`,
      `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`,
      `SUMMARY:${escaped(summary)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

const escaped = (text: string): string =>
  text
    .replace(/[\\;,]/g, String.raw`\$&`)
    .replace(/\r\n?|\n/g, String.raw`\n`)
    .replace(/\p{Cc}/gu, '');

/** Folds a line between characters; continuations begin with a space. */
function folded(line: string): string {
  let [text, bytes] = ['', 0];
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > MAX_LINE_BYTES) [text, bytes] = [`${text}\r\n `, 1];
    text += character;
    bytes += size;
  }
  return text;
}
