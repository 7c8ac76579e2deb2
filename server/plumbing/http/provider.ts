import { nfc, oneLine } from '#shared/text';

/** Who may come in of those whom the provider knows; without it the house's own members alone. */
export type LetIn =
  | { readonly identifiers: readonly string[] }
  | { readonly claim: string; readonly values: readonly string[] };

/** A provider of OpenID Connect, from the settings. */
export interface Provider {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the button of the sign-in calls it. */
  readonly nom: string;
  readonly scope: string;
  /** The claim that is a member's identifier. */
  readonly claim: string;
  readonly letIn: LetIn | null;
}

const CLAIM = /^[\w:/.-]{1,100}$/;
const DEFAULTS = { claim: 'preferred_username', scope: 'openid profile email' };
const MAX_NAME = 40;

/** The settings of the provider; `null` without any of them. Returns the bad one, and why. */
export function readProvider(
  text: (name: string) => string,
): Provider | null | { readonly setting: string; readonly reason: string } {
  const names = ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET', 'CLAIM', 'SCOPE', 'ALLOWED', 'NAME'];
  const set = names.filter((name) => text(`OIDC_${name}`) !== '');
  if (set.length === 0) return null;
  const of = (name: string) => text(`OIDC_${name}`);
  const wrong = (name: string, reason: string) => ({ setting: `OIDC_${name}`, reason });
  const missing = names.slice(0, 3).find((name) => !set.includes(name));
  if (missing !== undefined) return wrong(missing, `manque, alors que OIDC_${set[0]} est là`);
  const issuer = URL.parse(of('ISSUER'));
  if (issuer === null || !isSafe(issuer))
    return wrong('ISSUER', `« ${of('ISSUER')} » n’est pas une adresse https`);
  const claim = of('CLAIM') || DEFAULTS.claim;
  if (!CLAIM.test(claim)) return wrong('CLAIM', `« ${claim} » n’est pas un nom de champ`);
  const scope = of('SCOPE') || DEFAULTS.scope;
  if (!scope.split(' ').includes('openid')) return wrong('SCOPE', '« openid » y manque');
  const letIn = readLetIn(of('ALLOWED'));
  if (letIn === undefined)
    return wrong('ALLOWED', 'ce ne sont ni des identifiers ni un champ et ses valeurs');
  const nom = oneLine(nfc(of('NAME'))).trim() || issuer.hostname;
  if (nom.length > MAX_NAME) return wrong('NAME', `plus de ${MAX_NAME} caractères`);
  const [clientId, clientSecret] = [of('CLIENT_ID'), of('CLIENT_SECRET')];
  return { issuer, clientId, clientSecret, nom, scope, claim, letIn };
}

/** What is told to a provider is a secret; on this machine alone nobody listens. */
const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' ||
  (protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname));

/** `camille,luc`, or a claim and its values: `groups=family,friends`; `undefined` for neither. */
function readLetIn(text: string): LetIn | null | undefined {
  if (text === '') return null;
  const [, claim, listed = text] = /^([^=,]*)=(.*)$/s.exec(text) ?? [];
  const values = listed.split(',').map((value) => nfc(value.trim()));
  if (values.includes('')) return undefined;
  if (claim === undefined) return { identifiers: values };
  return CLAIM.test(claim) ? { claim, values } : undefined;
}
