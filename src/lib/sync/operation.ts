import type { Body, Endpoint, Params, Response } from '#shared/endpoint';
import type { Call } from '../api/call.ts';
import { unsafeCast } from '../api/unsafe-cast.ts';
import { write, type WriteOptions } from './write.ts';

type Options<E extends Endpoint> = Partial<Omit<Call<E>, 'params' | 'body'>> & WriteOptions<E>;

/** What an operation is called with: the id of its path and its body, where it has them, and what is said besides. */
type Args<E extends Endpoint> = [
  ...(Params<E> extends { readonly id: number } ? [id: number] : []),
  ...(Body<E> extends undefined ? [] : [body: Body<E>]),
  options?: Options<E>,
];

/** A write of the service as a function: `preter(livreId, { emprunteur })`. What it throws is that of `write`. */
export const operation =
  <const E extends Endpoint>(endpoint: E, preset?: Options<E>) =>
  (...args: Args<E>): Promise<Response<E>> => {
    const rest: unknown[] = [...args];
    const params = endpoint.params && { id: rest.shift() };
    const body = endpoint.body && rest.shift();
    const options = { ...preset, ...unsafeCast<Options<E> | undefined>(rest[0]) };
    return write(endpoint, unsafeCast<Call<E>>({ ...options, params, body }), options);
  };
