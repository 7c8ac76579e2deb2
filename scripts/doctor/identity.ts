import { m } from '#messages';
import { ask, outcomeOf, type Place } from './ask.ts';
import { note, well, wrong, type Finding } from './finding.ts';

/** Headers in which sign-on layers name the user, besides those of the settings. */
const KNOWN = [
  'sso_user',
  'sso_user_email',
  'sso_user_fullname',
  'ynh_user',
  'remote-user',
  'remote-email',
  'x-remote-user',
  'x-forwarded-user',
  'x-forwarded-email',
  'x-forwarded-preferred-username',
  'x-auth-request-user',
  'x-auth-request-email',
  'x-auth-request-preferred-username',
  'x-authentik-username',
  'x-authentik-email',
  'x-authentik-uid',
  'tailscale-user-login',
  'cf-access-authenticated-user-email',
];

/**
 * A proxy may equate « _ » and « - » in header names. Each spelling is sent alone, since a duplicate counts as no
 * user.
 */
const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.replaceAll('_', '-'),
  (name) => name.replaceAll('-', '_'),
];

const claimOf = (name: string): string => `rayonnage-doctor-${name}`;

/**
 * Whether a visitor can claim any user by a header, tested by asking the service for the caller. A response of a
 * sign-on layer proves nothing, since requests of signed-in visitors may differ.
 */
export async function examineIdentity({ key: _, ...place }: Place): Promise<Finding> {
  const names = [...new Set([...(place.headers ?? []), ...KNOWN])];
  const passed = new Set<string>();
  for (const spell of SPELLINGS) {
    const headers = Object.fromEntries(names.map((name) => [spell(name), claimOf(name)]));
    const answer = await outcomeOf(() => ask(place, 'api/moi', { headers }));
    if (!('text' in answer) || !isOfService(answer.text))
      return note(m.operator_doctor_identity_unexamined());
    for (const name of names)
      if (answer.text.includes(`"${claimOf(name)}"`)) passed.add(spell(name));
  }
  const arrived = [...passed].map(written);
  if (arrived.length > 0) {
    const say =
      arrived.length === 1 ? m.operator_doctor_header_arrives : m.operator_doctor_headers_arrive;
    return wrong(say({ names: arrived.join(', ') }), m.operator_doctor_header_arrives_why());
  }
  const examined = [...(place.headers ?? []).map(written), m.operator_doctor_known_headers()];
  return well(m.operator_doctor_no_header({ names: examined.join(', ') }));
}

const isOfService = (text: string): boolean =>
  /"utilisateur":|"code":"CONNEXION_REQUISE"/.test(text);

/** As in settings: SSO_USER, Remote-User. */
const written = (name: string): string =>
  name.includes('_')
    ? name.toUpperCase()
    : name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
