/** Parts of the frame that are not needed for the first screen: one chunk, loaded later. */
export { default as FeedbackBar } from './FeedbackBar.svelte';
export { default as Keys } from './Keys.svelte';
export { default as Language } from './Language.svelte';
