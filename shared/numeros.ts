import { Type, type Static } from 'typebox';
import { textOf, type ChangeReader } from './change-reader.ts';
import { couvertureOrNull } from './couvertures.ts';
import { type ModificationRules, endpoint, onRecord } from './endpoint.ts';
import {
  CoverUrl,
  Id,
  MAX_LENGTHS,
  nullable,
  optionalText,
  optionalTexts,
  text,
} from './fields.ts';
import { RevueSaisie } from './revues.ts';
import { formatNumero } from './numero-name.ts';
import { textKey } from './text.ts';

/** The longest date of an issue, as printed on its cover. */
export const MAX_DATE_LENGTH = 60;

const MAX_THEMES_NUMERO = 100;
const MAX_ARTICLES = 200;

/** An issue of a periodical; issues are neither lent nor marked as read (docs/rules.md § 20). */
export const Numero = Type.Object({
  id: Id,
  revueId: Id,
  numero: text(MAX_LENGTHS.nom),
  /** A day, a month or a year of ISO 8601, or a date as printed: « juillet-août 2026 ». */
  date: nullable(Type.String({ maxLength: MAX_DATE_LENGTH, format: 'numero-date' })),
  coverUrl: nullable(CoverUrl),
  couverture: couvertureOrNull,
  une: nullable(Type.String({ maxLength: MAX_LENGTHS.freeText })),
  resume: nullable(Type.String({ maxLength: MAX_LENGTHS.freeText })),
  themes: Type.Array(text(MAX_LENGTHS.nom), { maxItems: MAX_THEMES_NUMERO }),
  articles: Type.Array(
    Type.String({ minLength: 1, maxLength: MAX_LENGTHS.titre, format: 'article-titre' }),
    { maxItems: MAX_ARTICLES },
  ),
});
export type Numero = Static<typeof Numero>;

export const NumeroSaisi = Type.Object({
  numero: text(MAX_LENGTHS.nom),
  date: optionalText(MAX_DATE_LENGTH),
  coverUrl: optionalText(MAX_LENGTHS.url),
  une: optionalText(MAX_LENGTHS.freeText),
  resume: optionalText(MAX_LENGTHS.freeText),
  themes: optionalTexts(MAX_LENGTHS.nom, MAX_THEMES_NUMERO),
  articles: optionalTexts(MAX_LENGTHS.titre, MAX_ARTICLES),
});
export type NumeroSaisi = Static<typeof NumeroSaisi>;

/** Words for « number » before the digits, in a normalised text. */
const WORD_BEFORE = /(?<![\p{L}\p{N}])(?:numero|number|num|no|nr|n|issue)\s?(?=\d)/gu;
const ZEROS_BEFORE = /(?<!\p{N})0+(?=\d)/gu;

/**
 * The key of a number within its periodical, compared by value: « 13 », « N° 13 », « n°013 » and « １３ » are one, « 13
 * bis » and « Hors-série 13 » are others (docs/rules.md § 20).
 */
export const numeroKey = (numero: string): string =>
  textKey(numero).replace(WORD_BEFORE, '').replace(ZEROS_BEFORE, '');

/** A larger step between two numbers is no double issue: « 2026-12 » is a month, « 3-250 » a slip. */
const MAX_NUMEROS = 12;
const SPAN = /^(\d{1,6}) (?:(?:a|et) )?(\d{1,6})$/u;

/**
 * The keys of an issue's numbers: both for a double issue, « 112-113 » or « n° 7 et 8 », else its own (docs/rules.md
 * § 20).
 */
export function numeroKeysOf(numero: string): readonly string[] {
  const key = numeroKey(numero);
  const [, from = '', to = ''] = SPAN.exec(key) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (from === '' || last <= first || last - first >= MAX_NUMEROS) return [key];
  return [key, ...Array.from({ length: last - first + 1 }, (_, i) => String(first + i))];
}

/** Whether an issue is, or includes, a number. */
export const holdsNumero = ({ numero }: Pick<Numero, 'numero'>, wanted: string): boolean =>
  numeroKeysOf(numero).includes(numeroKey(wanted));

/** The numbers that a periodical has several times by value: « n° 13 et N° 13 ». */
export const doubledNumeros = (numeros: readonly Pick<Numero, 'numero'>[]): string[] =>
  [...Map.groupBy(numeros, ({ numero }) => numeroKey(numero)).values()].flatMap((same) =>
    same.length > 1 ? [same.map(({ numero }) => formatNumero(numero)).join(' et ')] : [],
  );

/** The first changed issue with its periodical. */
const numeroOf = (changes: ChangeReader) => ({
  revue: changes.nameOf('revues', changes.value('Numero', 'revueId')),
  numero: textOf(changes.value('Numero', 'numero')),
});

/** The message for any new issue, wherever it comes from. */
export const numeroAjoute: ModificationRules = {
  operation: 'ajouterNumero',
  message: (changes) => ({ fait: 'numeroAjoute', ...numeroOf(changes) }),
};

export const NumeroCriteres = Type.Object({
  recherche: Type.Optional(Type.String({ maxLength: MAX_LENGTHS.titre })),
  theme: Type.Optional(Type.String({ maxLength: MAX_LENGTHS.nom })),
});
export type NumeroCriteres = Static<typeof NumeroCriteres>;

export const rechercherNumeros = endpoint({
  method: 'GET',
  path: '/api/numeros',
  summary: 'Les numéros qui répondent à la recherche, le plus récent d’abord.',
  query: NumeroCriteres,
  response: Type.Array(Numero),
});

export const listerNumerosOfRevue = endpoint({
  method: 'GET',
  path: '/api/revues/:id/numeros',
  summary: 'Les numéros d’une revue, le plus récent d’abord.',
  response: Type.Array(Numero),
});

export const ajouterNumero = endpoint({
  method: 'POST',
  path: '/api/revues/:id/numeros',
  record: { collection: 'numeros' },
  modification: numeroAjoute,
  summary: 'Ajoute un numéro à une revue.',
  body: NumeroSaisi,
  response: Numero,
  status: 201,
});

export const ajouterRevueNumero = endpoint({
  method: 'POST',
  path: '/api/revues/numeros',
  record: { collection: 'numeros' },
  modification: numeroAjoute,
  summary: 'Ajoute un numéro à une revue, trouvée ou créée du même geste.',
  body: Type.Object({ revue: RevueSaisie, numero: NumeroSaisi }),
  response: Numero,
  status: 201,
});

export const lireNumero = endpoint({
  ...onRecord('numeros'),
  method: 'GET',
  summary: 'Un numéro.',
  response: Numero,
});

export const modifierNumero = endpoint({
  ...onRecord('numeros'),
  method: 'PUT',
  modification: {
    operation: 'modifierNumero',
    message: (changes) => ({ fait: 'numeroModifie', ...numeroOf(changes) }),
  },
  summary: 'Récrit un numéro.',
  body: NumeroSaisi,
  response: Numero,
});

export const supprimerNumero = endpoint({
  ...onRecord('numeros'),
  method: 'DELETE',
  modification: {
    operation: 'supprimerNumero',
    message: (changes) => ({ fait: 'numeroSupprime', ...numeroOf(changes) }),
  },
  summary: 'Supprime un numéro.',
});
