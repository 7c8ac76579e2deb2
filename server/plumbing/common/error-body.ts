import { STATUS_CODES } from 'node:http';
import { m } from '#messages';
import type { Locale } from '#shared/locale';
import { Refusal, type ErrorBody, type RefusalCode } from '#shared/refusals';
import { nomOfTravail } from '#shared/travaux';
import { sentenceOf } from './raisons.ts';

/** docs/rules.md § 3 */
export function errorBody(refusal: Refusal, locale: Locale): ErrorBody {
  const { status, code, details } = refusal;
  const error = STATUS_CODES[status] ?? '';
  const words = { ...refusal.wordsIn(locale), ...deviceMessage(refusal, locale) };
  return { statusCode: status, error, code, ...details, ...words };
}

/** Sentences that a device has no need to make by itself, and that are many. */
function deviceMessage(refusal: Refusal, locale: Locale): { readonly message?: string } {
  if (isOf(refusal, 'FICHIER_INVALIDE')) {
    const { raison: code, arguments: values } = refusal.details;
    return { message: sentenceOf({ code, arguments: values }, { locale }) };
  }
  if (isOf(refusal, 'TRAVAIL_EN_COURS')) {
    const travail = nomOfTravail(refusal.details.travail, { locale });
    return { message: m.refusal_travail_en_cours({ travail }, { locale }) };
  }
  return {};
}

const isOf = <C extends RefusalCode>(refusal: Refusal, code: C): refusal is Refusal<C> & Refusal =>
  refusal.code === code;

/** A reference to the refusals of a status in the OpenAPI document. */
export const refusalRef = (status: number): object => ({
  $ref: `#/components/schemas/Refus${status}`,
});

export const isRefusal = (error: unknown): error is Refusal => error instanceof Refusal;
