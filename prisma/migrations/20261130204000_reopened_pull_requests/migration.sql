-- A pull request that is opened again while its environment is being removed gets a new one at once.
DROP INDEX "pull_request_environment_alive";
CREATE UNIQUE INDEX "pull_request_environment_alive" ON "pull_request_environment" ("template_id", "number") WHERE "state" IN ('opening', 'open');
