-- AlterTable
ALTER TABLE "run" ADD COLUMN     "batch_id" UUID;

-- CreateTable
CREATE TABLE "batch" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "deployment_id" UUID,
    "mode" TEXT NOT NULL,
    "preset" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'working',
    "skipped" JSONB NOT NULL DEFAULT '[]',
    "webhook_url" TEXT NOT NULL DEFAULT '',
    "webhook_state" TEXT NOT NULL DEFAULT '',
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "batch_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "batch_environment_id_created_at_idx" ON "batch"("environment_id", "created_at");

-- CreateIndex
CREATE INDEX "batch_state_idx" ON "batch"("state");

-- CreateIndex
CREATE INDEX "run_batch_id_idx" ON "run"("batch_id");

-- AddForeignKey
ALTER TABLE "batch" ADD CONSTRAINT "batch_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run" ADD CONSTRAINT "run_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batch"("id") ON DELETE CASCADE ON UPDATE CASCADE;
