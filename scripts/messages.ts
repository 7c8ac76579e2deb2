import { compileMessages, MESSAGES, SPLIT_MESSAGES } from './support/messages.ts';

// Run by `scripts/launch.mjs` before any other command, so it must not import a message.
await compileMessages('project.inlang', MESSAGES, SPLIT_MESSAGES);
