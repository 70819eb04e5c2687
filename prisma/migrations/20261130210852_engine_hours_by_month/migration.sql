-- CreateIndex
CREATE INDEX "engine_hour_environment_id_hour_idx" ON "engine_hour"("environment_id", "hour");
