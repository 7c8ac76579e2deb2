import type { CustomFetch } from 'openid-client';
import { Refusal } from '#shared/refusals';
import { type Connections, readBody, userAgent } from '#server/plumbing/upstream/http';
import { openAgent } from '#server/plumbing/upstream/source';

/** Documents and keys of a provider are some kilobytes. */
const MAX_BYTES = 1_000_000;
/** No redirect is followed: an answer with one is refused by its reader. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** The connections to a provider, which may be in the house: its address is the administrator's own setting. */
export const openProvider = (timeoutMs: number): Connections => openAgent(timeoutMs);

/** Asks a provider as other sites are asked, within the same time. Rejects with `FOURNISSEUR_INJOIGNABLE`. */
export const fetchBy =
  (connections: Connections): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    try {
      const { statusCode, ...answer } = await connections.request(new URL(url), {
        ...{ method, body: body instanceof URLSearchParams ? body.toString() : null },
        headers: { ...headers, 'user-agent': userAgent() },
        signal: signal ?? new AbortController().signal,
      });
      const bytes = await readBody(answer, MAX_BYTES);
      const type = String(answer.headers['content-type'] ?? '');
      return new Response(WITHOUT_BODY.has(statusCode) ? null : new Uint8Array(bytes), {
        ...{ status: statusCode, headers: { 'content-type': type } },
      });
    } catch {
      throw new Refusal('FOURNISSEUR_INJOIGNABLE');
    }
  };
