# wrong: the model is made and compiled, but fit was forgotten
# loses: q4-train-test
# says: equally probable does as well: was it trained
# %% q4-train
char_model = models.LanguageModel(len(characters), units=64, embedding=64, cell="lstm")
trainer = models.TruncatedBPTT(char_model, batch=STREAMS)
trainer.compile(optimizer="adam", loss=models.masked_cross_entropy)
