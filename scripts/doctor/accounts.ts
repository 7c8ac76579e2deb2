import { m } from '#messages';
import { takesPasskeys } from '#shared/site';
import { ask, type Place } from './ask.ts';
import { told, well, wrong, type Finding } from './finding.ts';

export const unknownKey = (): Finding =>
  wrong(m.operator_doctor_key_unknown(), m.operator_doctor_key_unknown_why());

/** Returns no findings if a sign-on layer names the readers. */
export async function examineAccounts(place: Place): Promise<Finding[]> {
  const { text } = await ask(place, 'api/connexion');
  if (!text.includes('"comptes":true')) return [];
  const passkeys = await examinePasskeys(place);
  const { status } = await ask(place, 'api/moi');
  if (place.key === undefined)
    return [
      status === 401
        ? well(m.operator_doctor_accounts_closed())
        : wrong(m.operator_doctor_accounts_open({ status }), m.operator_doctor_accounts_open_why()),
      told(m.operator_doctor_give_key()),
      passkeys,
    ];
  return [status === 200 ? well(m.operator_doctor_key_known()) : unknownKey(), passkeys];
}

/** Whether passkeys work at this address, tested with a request like a page's. */
async function examinePasskeys(place: Place): Promise<Finding> {
  const { origin, hostname, pathname } = place.base;
  if (!takesPasskeys(place.base)) return told(m.operator_doctor_passkeys_never());
  const path = 'api/connexion/cle-acces/defi';
  const { status, text } = await ask(place, path, { method: 'POST', headers: { origin } });
  if (text.includes(`"rpId":"${hostname}"`)) {
    const say = pathname === '/' ? m.operator_doctor_passkeys : m.operator_doctor_passkeys_wide;
    return well(say({ host: hostname }));
  }
  return /ORIGINE_REFUSEE|CLES_ACCES_IMPOSSIBLES|HOTE_INCONNU/.test(text)
    ? wrong(m.operator_doctor_passkeys_host(), m.operator_doctor_passkeys_host_why())
    : wrong(m.operator_doctor_passkeys_blocked({ status }), m.operator_doctor_post_blocked_why());
}
