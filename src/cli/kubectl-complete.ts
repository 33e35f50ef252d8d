#!/usr/bin/env node
// Completes `kubectl rollout-plan`: kubectl runs `kubectl_complete-rollout_plan` with the words of the command line.
process.argv.splice(2, 0, '__complete');
require('./main');
