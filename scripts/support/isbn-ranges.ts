import { m } from '#messages';
import { XMLParser } from 'fast-xml-parser';
import { Type } from 'typebox';
import { Check } from 'typebox/value';

const RangeMessage = Type.Object({
  ISBNRangeMessage: Type.Object({
    MessageDate: Type.String(),
    RegistrationGroups: Type.Object({
      Group: Type.Array(
        Type.Object({
          Prefix: Type.String({ pattern: '^97[89]-\\d{1,5}$' }),
          Rules: Type.Object({
            Rule: Type.Array(
              Type.Object({
                Range: Type.String({ pattern: '^\\d{7}-\\d{7}$' }),
                Length: Type.String({ pattern: '^[0-7]$' }),
              }),
            ),
          }),
        }),
        { minItems: 1 },
      ),
    }),
  }),
});

const parser = new XMLParser({
  parseTagValue: false,
  isArray: (name) => name === 'Group' || name === 'Rule',
});

/** Returns `undefined` if the text is no XML. */
function parse(xml: string): unknown {
  try {
    return parser.parse(xml);
  } catch {
    return undefined;
  }
}

/** The text of `shared/isbn-ranges.ts`. Throws if the file is not the agency's. */
export function sourceOfRanges(xml: string): string {
  const parsed = parse(xml);
  if (!Check(RangeMessage, parsed)) throw new Error(m.operator_isbn_ranges_foreign());
  const { ISBNRangeMessage: message } = parsed;
  // Engines may not know its time zone by name; only the day matters.
  const date = new Date(message.MessageDate.replace(/ \p{Lu}+$/u, ' GMT'));
  const lines = message.RegistrationGroups.Group.map(({ Prefix, Rules }) => {
    // Length 0 means not assigned.
    const ranges = Rules.Rule.filter(({ Length }) => Length !== '0').map(({ Range, Length }) =>
      Range.split('-')
        .map((end) => end.slice(0, Number(Length)))
        .join('-'),
    );
    return `${Prefix}:${ranges.join()}`;
  });
  return `/** Written by \`npm run isbn-ranges\` from the International ISBN Agency’s ranges of this day. */
export const RANGES_DATE = '${date.toISOString().slice(0, 10)}';

/** A line a registration group: its prefix, and the ranges of publishers’ numbers that are assigned in it. */
export const RANGES = \`\\
${lines.join('\n')}
\`;
`;
}
