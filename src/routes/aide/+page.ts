import { loadManual } from '$lib/aide/manual';
import type { PageLoad } from './$types';

export const load: PageLoad = async () => ({ manual: await loadManual() });
