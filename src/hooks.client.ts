import type { ClientInit } from '@sveltejs/kit';
import { demarrer } from '$lib/demarrage';

/** Before the first screen: nothing here waits, so that it paints at once. */
export const init: ClientInit = demarrer;
