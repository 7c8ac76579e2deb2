import { STATUS_CODES } from 'node:http';
import { Refusal, type ErrorBody } from '#shared/refusals';

/** The body of every error: four fields, and the refusal's details (docs/rules.md § 3). */
export function errorBody(refusal: Refusal): ErrorBody {
  const { status, code, message, details } = refusal;
  return { statusCode: status, error: STATUS_CODES[status] ?? '', code, message, ...details };
}

export const isRefusal = (error: unknown): error is Refusal => error instanceof Refusal;
