import { STATUS_CODES } from 'node:http';
import type { Locale } from '#shared/locale';
import { Refusal, type ErrorBody } from '#shared/refusals';

/** docs/rules.md § 3 */
export function errorBody(refusal: Refusal, locale: Locale): ErrorBody {
  const { status, code, details } = refusal;
  const error = STATUS_CODES[status] ?? '';
  return { statusCode: status, error, code, ...details, ...refusal.told(locale) };
}

/** The refusals with a status, as the OpenAPI document tells them. */
export const refusalRef = (status: number): object => ({
  $ref: `#/components/schemas/Refus${status}`,
});

export const isRefusal = (error: unknown): error is Refusal => error instanceof Refusal;
