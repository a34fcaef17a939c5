# Prints which figures the tests leave out: those of data and networks that have owners and may not be shipped. They are
# tested where SHARED, the folder that holds them, is there.
if(NOT EXISTS ${SHARED})
    message("Left out, for ../shared is not beside the project, and these data and networks may not be shipped:
  golden_*: scores, tests, distances and learned graphs on samples of insurance, hailfinder, water, ecoli70, magic-niab
  test_discretize: the codes of another program for gaussian.test
  test_bif, test_network_formats, test_catalogue, test_fetch, test_tiling, test_pc_separation, test_gaussian_net: the networks of the
    repository that do not ship (20 discrete, 5 continuous), read, written, tiled and learned by d-separation
  test_datasets: the figures of the catalogue of data sets; test_published: the published figures as they were copied")
endif()
