import type { FastifyRequest } from 'fastify';
import type { Database } from '#server/plumbing/database/database';
import type { Attempts } from '../domain/attempts.ts';
import { requireProof } from '../domain/own.ts';
import type { SessionRow } from '../store/sessions.ts';
import { deviceOf, sessionOf } from './guard.ts';

/** The session that asks, of whoever has proved to be its member, as `requireProof` wants it. */
export async function proved(
  { database, attempts }: { readonly database: Database; readonly attempts: Attempts },
  request: FastifyRequest,
  motDePasse: string | null | undefined,
): Promise<SessionRow> {
  const session = sessionOf(request);
  const { address } = deviceOf(request);
  await requireProof(database, attempts, session, { motDePasse, address });
  return session;
}
