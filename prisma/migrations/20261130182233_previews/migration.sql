-- AlterTable
ALTER TABLE "deployment" ADD COLUMN     "findings" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "revision" ADD COLUMN     "rollback_of" INTEGER;

-- AlterTable
ALTER TABLE "rollout" ADD COLUMN     "facts" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "findings" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "steps" JSONB NOT NULL DEFAULT '[]';

-- CreateTable
CREATE TABLE "preview" (
    "id" UUID NOT NULL,
    "digest" TEXT NOT NULL,
    "environment_id" UUID NOT NULL,
    "deployment_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "spec" JSONB NOT NULL,
    "manifests" JSONB NOT NULL,
    "live" JSONB NOT NULL,
    "prune" JSONB NOT NULL DEFAULT '[]',
    "take_over" JSONB NOT NULL DEFAULT '[]',
    "shown" JSONB NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "rollback_of" INTEGER,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "applied_at" TIMESTAMPTZ(3),
    "applied_by_id" UUID,

    CONSTRAINT "preview_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "preview_digest_key" ON "preview"("digest");

-- CreateIndex
CREATE INDEX "preview_environment_id_idx" ON "preview"("environment_id");

-- CreateIndex
CREATE INDEX "preview_deployment_id_idx" ON "preview"("deployment_id");

-- AddForeignKey
ALTER TABLE "preview" ADD CONSTRAINT "preview_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;
