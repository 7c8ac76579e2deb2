import { STATUS_CODES } from 'node:http';
import { Refusal, type ErrorBody } from '#shared/refusals';

/** docs/rules.md § 3 */
export function errorBody(refusal: Refusal): ErrorBody {
  const { status, code, message, details } = refusal;
  return { statusCode: status, error: STATUS_CODES[status] ?? '', code, message, ...details };
}

/** The refusals with a status, as the OpenAPI document tells them. */
export const refusalRef = (status: number): object => ({
  $ref: `#/components/schemas/Refus${status}`,
});

export const isRefusal = (error: unknown): error is Refusal => error instanceof Refusal;
