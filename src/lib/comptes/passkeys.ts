import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { ApiError } from '../api/call.ts';
import { m } from '$lib/paraglide/messages';
import type {
  CleAccesFaite,
  OptionsCreation,
  OptionsSignature,
  Signature,
} from '#shared/cles-acces';

/** Creates a passkey. Throws an `ApiError` if the person cancels, or the device has one already. */
export const makePasskey = (optionsJSON: OptionsCreation): Promise<CleAccesFaite> =>
  outcomeOf(startRegistration({ optionsJSON }));

/** Signs with a passkey. Throws an `ApiError` if the person cancels. */
export const signByPasskey = (optionsJSON: OptionsSignature): Promise<Signature> =>
  outcomeOf(startAuthentication({ optionsJSON }));

/** A browser does not tell why a ceremony failed, so as not to reveal existing passkeys. */
async function outcomeOf<T>(ceremony: Promise<T>): Promise<T> {
  try {
    return await ceremony;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw new ApiError(
      'unexpected',
      name === 'InvalidStateError' ? m.passkey_there_already() : m.passkey_not_given(),
    );
  }
}
