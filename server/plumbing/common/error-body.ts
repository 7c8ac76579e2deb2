import { STATUS_CODES } from 'node:http';
import { Refusal, type ErrorBody } from '#shared/refusals';

/** docs/rules.md § 3 */
export function errorBody(refusal: Refusal): ErrorBody {
  const { status, code, message, details } = refusal;
  return { statusCode: status, error: STATUS_CODES[status] ?? '', code, message, ...details };
}

export const isRefusal = (error: unknown): error is Refusal => error instanceof Refusal;
